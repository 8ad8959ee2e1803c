import {
  type Command,
  type Edit,
  type HookContext,
  isNacreError,
  type NoticeEntry,
  type Receipt,
  type SessionStore,
} from '@nacre/core'
import { defineLayer } from '../layer/layer.js'
import { revertedEdits } from '../log/edits.js'
import { counted, formatCount, formatDollars } from '../text/format.js'

/** Tells people what each compaction did, and why one did not come about. */
export const receipts = defineLayer('receipts', {}, () => {
  /** The climb whose trouble was reported last: it goes on without the conversation changing. */
  let reported = ''
  const notice = ({ store }: HookContext, level: NoticeEntry['level'], text: string) =>
    store.append([{ kind: 'notice', owner: 'compact', level, text, id: '', time: 0 }])
  return {
    commands: [receiptCommand, receiptsCommand],
    hooks: {
      async ViewChanged({ edit }, context) {
        if (edit.receipt) await notice(context, 'info', describeReceipt(edit.receipt))
      },
      async CompactFailed({ error, trigger, tokens, count, dryRun }, context) {
        const climb = [trigger, tokens, count].join()
        if (dryRun || climb === reported) return
        reported = climb
        await notice(context, 'warning', isNacreError(error, 'BLOCKED') ? vetoed(error) : failed(error))
      },
    },
  }
})

function vetoed({ message }: Error): string {
  return `Compaction was held back by a plugin: ${ended(message)} The conversation stays as it is.`
}

function failed({ message }: Error): string {
  return `One way to compact did not work: ${ended(message)} Nothing was changed by it; the next way is tried where there is one.`
}

function ended(message: string): string {
  const text = message.trim()
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** A fold of the session, and whether it is still in force. */
interface SessionFold {
  readonly edit: Edit
  readonly receipt: Receipt
  readonly isUndone: boolean
}

/** Shows one receipt with all that is in it. */
const receiptCommand: Command = {
  name: 'receipt',
  help: 'receipt [edit id]: what the last compaction, or that one, kept, folded, restored and cost.',
  async run(args, { store }) {
    const wanted = args.trim()
    const folds = await sessionFolds(store)
    const found = wanted === '' ? folds.at(-1) : folds.find(({ edit }) => edit.id === wanted)
    if (found) return shown(found)
    if (folds.length === 0) return 'Nothing has been compacted in this session.'
    return `There is no compaction '${wanted}'. Known: ${folds.map(({ edit }) => edit.id).join(', ')}.`
  },
}

function shown({ edit, receipt, isUndone }: SessionFold): string {
  const state = isUndone ? 'It was taken back.' : 'It is in force.'
  return [describeReceipt(receipt), state, `reason     ${edit.reason}`, `time       ${timeOf(edit)}`]
    .concat(receiptInFull(receipt))
    .join('\n')
}

/** Lists the compactions of a session. */
const receiptsCommand: Command = {
  name: 'receipts',
  help: 'receipts: all compactions of this session, with their ids, times, tokens and dollars.',
  async run(_args, { store }) {
    const folds = await sessionFolds(store)
    return folds.length === 0 ? 'Nothing has been compacted in this session.' : folds.map(line).join('\n')
  },
}

function line({ edit, receipt: { trigger, rung, tokens, dollars }, isUndone }: SessionFold): string {
  const size = `${formatCount(tokens.before)} → ${formatCount(tokens.after)} tokens`
  const cost = formatDollars(dollars.spent + dollars.rewrite)
  const state = isUndone ? '  taken back' : ''
  return `${edit.id}  ${timeOf(edit)}  ${trigger}, ${rung}  ${size}  ${cost}${state}`
}

function timeOf({ time }: Edit): string {
  return new Date(time).toISOString()
}

/** All folds of a session that have a receipt, the oldest first. */
async function sessionFolds(store: SessionStore): Promise<readonly SessionFold[]> {
  const edits: Edit[] = []
  for await (const entry of store.read()) if (entry.kind === 'edit') edits.push(entry)
  const undone = revertedEdits(edits)
  return edits.flatMap((edit) => (edit.receipt ? [{ edit, receipt: edit.receipt, isUndone: undone.has(edit.id) }] : []))
}

const CAUSES: Readonly<Record<Receipt['trigger'], string>> = {
  auto: 'Compacted',
  manual: 'Compacted by hand',
  overflow: 'Compacted because the prompt was too long',
}

const WAYS: Readonly<Record<Receipt['rung'], string>> = {
  erase: 'by clearing on the server',
  clear: 'by clearing',
  notes: 'with notes at hand',
  summary: 'with a summary',
  digest: 'with a digest, without the model',
}

/** What a compaction did and cost, in one line for people. */
export function describeReceipt(receipt: Receipt): string {
  const { trigger, rung, tokens, dollars, messages, restored, leftOut = [], checks, undo } = receipt
  const cut = restored.filter((item) => item.cut !== undefined).length
  const failed = checks.filter(({ ok }) => !ok).length
  const facts = [
    `${formatCount(tokens.before)} → ${formatCount(tokens.after)} tokens`,
    // A log of an earlier version does not count messages.
    ...(messages ? [`${counted(messages.folded, 'message')} folded`] : []),
    ...(restored.length > 0 ? [`${counted(restored.length, 'item')} back${cut > 0 ? ` (${cut} cut)` : ''}`] : []),
    ...(leftOut.length > 0 ? [`${leftOut.length} left out`] : []),
    formatDollars(dollars.spent + dollars.rewrite),
    ...(failed > 0 ? [`${failed} of ${counted(checks.length, 'check')} failed`] : []),
  ]
  return `${CAUSES[trigger]} ${WAYS[rung]}: ${facts.join(', ')}; to take it back, undo ${undo}.`
}

/** Every field of a receipt, for people, on lines of its own. */
export function receiptInFull(receipt: Receipt): string {
  const { trigger, rung, covers, undo, tokens, dollars, ignored, followed } = receipt
  const freed = tokens.before - tokens.after
  const share = Math.round((freed / Math.max(1, tokens.before)) * 100)
  return [
    `trigger    ${trigger}`,
    ...askedLines(receipt),
    `rung       ${rung}`,
    `covers     ${covers.from} to ${covers.to}`,
    `tokens     ${formatCount(tokens.before)} → ${formatCount(tokens.after)} (${formatCount(freed)} freed, ${share}%)`,
    `messages   ${messagesLine(receipt)}`,
    `dollars    ${formatDollars(dollars.spent)} spent on it, ${formatDollars(dollars.rewrite)} to write the cache anew`,
    ...section('restored', restoredLines(receipt)),
    ...(receipt.leftOut ? section('left out', leftOutLines(receipt)) : []),
    ...section('rules', rulesLines(receipt)),
    ...section('checks', checkLines(receipt)),
    chainLine(receipt),
    ...(followed === undefined ? [] : section('followed', followed.flatMap(linesOf))),
    ...(ignored === undefined ? [] : section('ignored', linesOf(ignored))),
    `undo       ${undo}`,
  ].join('\n')
}

const ASKERS: Readonly<Record<NonNullable<Receipt['asked']>['by'], string>> = {
  auto: 'by itself',
  person: 'by a person',
  api: 'by a program',
  plugin: 'by a plugin in the background',
}

/** A log of an earlier version does not say. */
function askedLines({ asked, threshold }: Receipt): string[] {
  return [
    ...(asked ? [`asked      ${ASKERS[asked.by]}, in ${asked.source}`] : []),
    ...(threshold === undefined ? [] : [`threshold  ${formatCount(threshold)} tokens`]),
  ]
}

function chainLine({ chain: { count, turnsSince, before } }: Receipt): string {
  const since = before === undefined ? 'the one before' : `the one before, ${before}`
  return `chain      fold ${count} of this session, ${counted(turnsSince, 'response')} since ${since}`
}

function linesOf(text: string): string[] {
  return text.split('\n')
}

/** A log of an earlier version does not count messages. */
function messagesLine({ messages }: Receipt): string {
  if (!messages) return 'not counted'
  const { folded, kept, dropped } = messages
  return `${formatCount(folded)} folded, ${formatCount(kept)} kept, ${formatCount(dropped)} dropped before`
}

function restoredLines({ restored }: Receipt): string[] {
  return restored.map(
    ({ owner, what, status, tokens, cut }) =>
      `${owner}: ${what}, ${status}, ${formatCount(tokens)} tokens${cut === undefined ? '' : `, cut: ${cut}`}`,
  )
}

function leftOutLines({ leftOut = [] }: Receipt): string[] {
  return leftOut.map(({ owner, what, why }) => `${owner}: ${what}: ${why}`)
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
