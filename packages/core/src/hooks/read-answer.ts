import { NacreError, shown } from '../errors.js'
import { hookKinds } from '../types/hooks.js'
import type { Block } from '../types/log.js'
import type { ToolResult, Verdict } from '../types/tool.js'

/**
 * What was answered to a gate, and its place among the verdicts, the strictest of which is 0. Read once and by type: the
 * verdict alone counts, and a reason that is no text is none. Throws where it is no verdict: what nobody knows is no consent.
 */
export function readVerdict<V extends string>(
  answer: unknown,
  strictestFirst: readonly V[],
  who: string,
): Verdict<V> & { readonly rank: number } {
  const { verdict, reason } = Object(answer) as { readonly verdict?: unknown; readonly reason?: unknown }
  const rank = strictestFirst.indexOf(verdict as V)
  if (rank < 0) {
    const given = Object(answer) === answer ? shown(verdict) : shown(answer)
    throw new Error(`'${given}' is not a verdict here; there are ${strictestFirst.join(', ')}`)
  }
  // The mildest of several lets things take their course; of all others somebody will read why.
  const isMild = rank > 0 && rank === strictestFirst.length - 1
  const words = isText(reason) ? reason : isMild ? '' : `${who} said '${verdict}' and did not say why.`
  return { verdict: strictestFirst[rank] as V, reason: words, rank }
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

/** What a tool has given, read once. Throws with what is wrong with it, in words for whoever made the tool. */
export function readResult(tool: string, given: unknown): ToolResult {
  const wrong = (what: string) =>
    new Error(`The tool '${tool}' gave no result that can be used, but ${what}. It has to give { content: [blocks] }.`)
  if (kindOf(given) !== 'object') throw wrong(shown(given))
  const { content, isError, logged, redacts } = given as { readonly [Field in keyof ToolResult]?: unknown }
  for (const [field, blocks] of Object.entries({ content, ...(logged !== undefined && { logged }) })) {
    const problem = problemOf(blocks)
    if (problem !== undefined) throw wrong(`one whose ${field} ${problem}`)
  }
  return {
    content: content as readonly Block[],
    ...(isError ? { isError: true } : {}),
    ...(logged !== undefined && { logged: logged as readonly Block[] }),
    ...(redacts ? { redacts: true } : {}),
  }
}

/** Fields that have to stay. */
const NEEDED = ['id', 'name', 'content']
/** Fields that may come in, with what they are. */
const OPTIONAL: Readonly<Record<string, string>> = {
  maxTokens: 'number',
  metadata: 'object',
  extra: 'object',
  logged: 'a list',
}

/** Throws where what a transform of core answered can not stand for what it was given. Those of other plugins are theirs. */
export function checkTransformed(hook: string, before: unknown, after: unknown): void {
  if (hookKinds[hook] === 'transform') checkShape(before, after)
}

/** Throws with how a value differs in its shape from the one that it is to stand for. */
export function checkShape(before: unknown, after: unknown): void {
  if (kindOf(after) !== 'object') throw new Error(`the value is ${kindOf(after)}, not an object`)
  const [old, now] = [before, after] as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]
  // An input may change its type: the tool's schema judges it.
  const kept = Object.keys(old).filter((key) => key !== 'input' && (now[key] !== undefined || NEEDED.includes(key)))
  const expected = { ...OPTIONAL, ...Object.fromEntries(kept.map((key) => [key, kindOf(old[key])])) }
  for (const [key, kind] of Object.entries(expected)) {
    if (now[key] === undefined && !kept.includes(key)) continue
    if (kindOf(now[key]) !== kind) throw new Error(`the value has ${kindOf(now[key])} as '${key}', not ${kind}`)
  }
  if (old.id !== undefined && old.id !== now.id) throw new Error('the value has another id than the call')
  for (const field of ['content', 'logged']) {
    const problem = now[field] === undefined ? undefined : problemOf(now[field])
    if (problem !== undefined) throw new Error(`the ${field} ${problem}`)
  }
}

/** Throws where something that was given as blocks is none. */
export function mustBeBlocks(what: string, given: unknown): void {
  const problem = problemOf(given)
  if (problem !== undefined)
    throw new NacreError('INVALID_REQUEST', `${what} is a text or a list of blocks: it ${problem}.`)
}

/** Why something is no list of blocks. A text without its words would be refused with every later request. */
function problemOf(blocks: unknown): string | undefined {
  if (!Array.isArray(blocks)) return `is ${kindOf(blocks)} and not a list`
  for (const block of blocks as readonly unknown[]) {
    const { type, text } = Object(block) as { readonly type?: unknown; readonly text?: unknown }
    if (!isText(type)) return `has a block without a type: ${shown(block)}`
    if (type === 'text' && typeof text !== 'string') return `has a text without its words: ${shown(block)}`
  }
  return undefined
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'object' : typeof value
}
