import type { Receipt } from '@nacre/core'
import { counted } from './counted.js'
import { inDollars } from './in-dollars.js'
import { inFigures } from './in-figures.js'

/** Every field of a receipt, for people, on lines of its own. */
export function receiptInFull(receipt: Receipt): string {
  const { trigger, rung, covers, undo, tokens, dollars, chain, ignored } = receipt
  const freed = tokens.before - tokens.after
  const share = Math.round((freed / Math.max(1, tokens.before)) * 100)
  return [
    `trigger    ${trigger}`,
    `rung       ${rung}`,
    `covers     ${covers.from} to ${covers.to}`,
    `tokens     ${inFigures(tokens.before)} → ${inFigures(tokens.after)} (${inFigures(freed)} freed, ${share}%)`,
    `messages   ${messagesLine(receipt)}`,
    `dollars    ${inDollars(dollars.spent)} spent on it, ${inDollars(dollars.rewrite)} to write the cache anew`,
    ...section('restored', restoredLines(receipt)),
    ...section('rules', rulesLines(receipt)),
    ...section('checks', checkLines(receipt)),
    `chain      fold ${chain.count} of this session, ${counted(chain.turnsSince, 'response')} since the one before`,
    ...(ignored === undefined ? [] : section('ignored', ignored.split('\n'))),
    `undo       ${undo}`,
  ].join('\n')
}

/** A log of an earlier version does not count messages. */
function messagesLine({ messages }: Receipt): string {
  if (!messages) return 'not counted'
  const { folded, kept, dropped } = messages
  return `${inFigures(folded)} folded, ${inFigures(kept)} kept, ${inFigures(dropped)} dropped before`
}

function restoredLines({ restored }: Receipt): string[] {
  return restored.map(({ owner, what, status, tokens }) => `${owner}: ${what}, ${status}, ${inFigures(tokens)} tokens`)
}

function rulesLines({ rules }: Receipt): string[] {
  return rules.map(({ path, hash }) => `${path} ${hash}`)
}

function checkLines({ checks }: Receipt): string[] {
  return checks.map(({ name, ok, detail }) => `${ok ? 'passed' : 'FAILED'}  ${name}${detail ? `: ${detail}` : ''}`)
}

function section(name: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [`${name.padEnd(10)} none`]
  return [name, ...lines.map((line) => `  ${line}`)]
}
