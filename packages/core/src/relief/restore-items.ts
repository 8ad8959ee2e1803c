import type { Restored } from '../contract/relief.js'
import { callWithin } from '../hooks/call-within.js'
import { realTimer } from '../hooks/timer.js'
import type { Note, RestoredItem } from '../log/edit.js'
import type { Span } from '../log/entry.js'
import { estimateText } from '../tokens/estimate-text.js'
import type { ReliefDecision } from './relief-decision.js'
import type { ReliefParts } from './relief-parts.js'
import { wordRestored } from './word-restored.js'

export interface RestoreTask {
  readonly folded: Span
  /** Tokens for all restorers together. */
  readonly budget: number
  readonly pressure: ReliefDecision['pressure']
  readonly signal: AbortSignal
}

/** An item that comes back with a fold, and the note that says so. */
export interface RestoredNote {
  readonly item: RestoredItem
  readonly note: Note
}

const TIME = 10_000
const ORDER: readonly Restored['status'][] = ['live', 'reference', 'consumed']

/** Asks all restorers at once. What is live goes first, owners take turns, and what does not fit is left out whole. */
export async function restoreItems(parts: ReliefParts, task: RestoreTask): Promise<readonly RestoredNote[]> {
  if (task.budget <= 0) return []
  const given = await Promise.all(parts.restorers().map((restorer) => ask(parts, task, restorer)))
  let left = task.budget
  return ORDER.flatMap((status) =>
    takingTurns(given.map((notes) => notes.filter(({ item }) => item.status === status))),
  ).filter(({ item }) => {
    if (item.tokens > left) return false
    left -= item.tokens
    return true
  })
}

type OwnedRestorer = ReturnType<ReliefParts['restorers']>[number]

async function ask(parts: ReliefParts, task: RestoreTask, { owner, item }: OwnedRestorer): Promise<RestoredNote[]> {
  const { folded, budget, pressure } = task
  const limits = { signal: task.signal, timeout: TIME, timer: parts.timer ?? realTimer }
  try {
    const view = parts.view()
    const given = await callWithin(limits, (signal) => item.restore({ view, folded, budget, signal }))
    return given.filter(isSound).map((restored) => toNote(parts, owner, restored))
  } catch (error) {
    if (task.signal.aborted) throw error
    const reason = `Restorer '${item.name}' gave nothing: ${error instanceof Error ? error.message : String(error)}`
    parts.emit({ type: 'relief', decision: { verdict: 'failed', reason, pressure, owner, name: item.name } })
    return []
  }
}

function isSound({ text, status }: Restored): boolean {
  return typeof text === 'string' && text.trim() !== '' && ORDER.includes(status)
}

function toNote(parts: ReliefParts, owner: string, restored: Restored): RestoredNote {
  const text = wordRestored(restored)
  const { what, status } = restored
  const item = { what, status, owner, tokens: parts.tokens(estimateText(text)) }
  return { item, note: { text, trust: 'content', tag: 'restored' } }
}

function takingTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}
