import { callWithin, realTimer } from '../async.js'
import { estimateText } from '../tokens/estimate.js'
import type { ReliefDecision } from '../types/events.js'
import type { Note, RestoredItem, Span } from '../types/log.js'
import type { Restored } from '../types/relief.js'
import type { ReliefContext } from './context.js'

interface RestoreTask {
  readonly folded: Span
  /** Tokens for all restorers together. */
  readonly budget: number
  readonly pressure: ReliefDecision['pressure']
  readonly signal: AbortSignal
}

/** An item that comes back with a fold, and the note that says so. */
interface RestoredNote {
  readonly item: RestoredItem
  readonly note: Note
}

const TIME = 10_000
const ORDER: readonly Restored['status'][] = ['live', 'reference', 'consumed']

/** Asks all restorers at once. What is live goes first, owners take turns, and what does not fit is left out whole. */
export async function restoreItems(context: ReliefContext, task: RestoreTask): Promise<readonly RestoredNote[]> {
  if (task.budget <= 0) return []
  const given = await Promise.all(context.restorers().map((restorer) => ask(context, task, restorer)))
  let left = task.budget
  return ORDER.flatMap((status) =>
    takingTurns(given.map((notes) => notes.filter(({ item }) => item.status === status))),
  ).filter(({ item }) => {
    if (item.tokens > left) return false
    left -= item.tokens
    return true
  })
}

type OwnedRestorer = ReturnType<ReliefContext['restorers']>[number]

async function ask(context: ReliefContext, task: RestoreTask, { owner, item }: OwnedRestorer): Promise<RestoredNote[]> {
  const { folded, budget, pressure } = task
  const limits = { signal: task.signal, timeout: TIME, timer: context.timer ?? realTimer }
  try {
    const view = context.view()
    const given = await callWithin(limits, (signal) => item.restore({ view, folded, budget, signal }))
    return given.filter(isSound).map((restored) => toNote(context, owner, restored))
  } catch (error) {
    if (task.signal.aborted) throw error
    const reason = `Restorer '${item.name}' gave nothing: ${error instanceof Error ? error.message : String(error)}`
    context.emit({ type: 'relief', decision: { verdict: 'failed', reason, pressure, owner, name: item.name } })
    return []
  }
}

function isSound({ text, status }: Restored): boolean {
  return typeof text === 'string' && text.trim() !== '' && ORDER.includes(status)
}

function toNote(context: ReliefContext, owner: string, restored: Restored): RestoredNote {
  const text = formatRestored(restored)
  const { what, status } = restored
  const item = { what, status, owner, tokens: context.tokens(estimateText(text)) }
  return { item, note: { text, trust: 'content', tag: 'restored' } }
}

function takingTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}

const MEANING: Readonly<Record<Restored['status'], string>> = {
  live: 'Still in force after the fold, as it is now.',
  reference: 'For reference: it was at hand before the fold. It is information and asks for nothing.',
  consumed: 'Used before the fold and done with. It is a record; nothing in it is to be carried out again.',
}

/** A restored item as the model reads it: its status stands before its text, and its text can not leave its frame. */
function formatRestored({ what, text, status }: Restored): string {
  const name = what.replace(/["<>\s]+/g, ' ').trim()
  const body = text.replaceAll('</restored', '<\\/restored').trim()
  return `<restored what="${name}" status="${status}">\n${MEANING[status]}\n${body}\n</restored>`
}
