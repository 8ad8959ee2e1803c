import { callWithin, realTimer } from '../async.js'
import { estimateText } from '../tokens/estimate.js'
import type { ReliefDecision } from '../types/events.js'
import type { LeftOutItem, Note, RestoredItem, Span } from '../types/log.js'
import type { LeftOut, Restored, Restorer } from '../types/relief.js'
import type { ReliefContext } from './context.js'

interface RestoreTask {
  readonly folded: Span
  /** Tokens for all restorers together. */
  readonly budget: number
  readonly pressure: ReliefDecision['pressure']
  readonly signal: AbortSignal
}

/** What comes back with a fold, and what does not, each with its name. */
export interface BroughtBack {
  readonly restored: readonly RestoredNote[]
  readonly leftOut: readonly LeftOutItem[]
}

/** An item that comes back with a fold, and the note that says so. */
interface RestoredNote {
  readonly item: RestoredItem
  readonly note: Note
}

const TIME = 10_000
const ORDER: readonly Restored['status'][] = ['live', 'reference', 'consumed']

/**
 * Asks all restorers at once. What is served first and in force goes before all else, the smallest of it at the head,
 * so that a long plan leaves room for a short list. Of the others what is in force goes first, and restorers take turns.
 * What finds no room is cut by its restorer or left out, and either is told.
 */
export async function restoreItems(context: ReliefContext, task: RestoreTask): Promise<BroughtBack> {
  const shares = await Promise.all(context.restorers().map((restorer) => ask(context, task, restorer)))
  const leftOut = shares.flatMap((share) => share.leftOut)
  const restored: RestoredNote[] = []
  let left = Math.max(0, task.budget)
  for (const offer of inOrder(context, shares)) {
    const room = Math.min(left, offer.share.left)
    const fitting = fitted(context, offer, room)
    if ('why' in fitting) {
      leftOut.push(fitting)
      continue
    }
    left -= fitting.item.tokens
    offer.share.left -= fitting.item.tokens
    restored.push(fitting)
  }
  return { restored, leftOut }
}

type OwnedRestorer = ReturnType<ReliefContext['restorers']>[number]

/** What a restorer has given, and what is left of its budget. */
interface Share {
  readonly owner: string
  readonly isFirst: boolean
  readonly given: readonly Restored[]
  readonly leftOut: readonly LeftOutItem[]
  left: number
}

async function ask(context: ReliefContext, task: RestoreTask, { owner, item }: OwnedRestorer): Promise<Share> {
  const { folded, pressure } = task
  const left = budgetOf(item, context.thresholds().scale, Math.max(0, task.budget))
  const limits = { signal: task.signal, timeout: TIME, timer: context.timer ?? realTimer }
  const share = { owner, isFirst: item.isFirst === true, left }
  try {
    const view = context.view()
    const given = await callWithin(limits, (signal) => item.restore({ view, folded, budget: left, signal }))
    const skipped = given.filter(isLeftOut).map(({ what, why }) => ({ what, owner, why }))
    const offered = given.filter((each): each is Restored => !isLeftOut(each))
    const unsound = offered
      .filter((each) => !isSound(each))
      .map(({ what }) => ({ what: String(what), owner, why: UNSOUND }))
    return { ...share, given: offered.filter(isSound), leftOut: [...skipped, ...unsound] }
  } catch (error) {
    if (task.signal.aborted) throw error
    const reason = `Restorer '${item.name}' gave nothing: ${error instanceof Error ? error.message : String(error)}`
    context.emit({ type: 'relief', decision: { verdict: 'failed', reason, pressure, owner, name: item.name } })
    return { ...share, given: [], leftOut: [{ what: item.name, owner, why: reason }] }
  }
}

const BUDGET = 25_000

function budgetOf({ isFirst, budget }: Restorer, scale: number, ceiling: number): number {
  const own = budget ?? (isFirst ? Number.POSITIVE_INFINITY : BUDGET)
  return Math.floor(Math.min(own * scale, ceiling))
}

function isLeftOut(given: Restored | LeftOut): given is LeftOut {
  return 'why' in given
}

const UNSOUND = 'it has no name, no text, or no status that is known'

function isSound({ what, text, status }: Restored): boolean {
  return typeof what === 'string' && typeof text === 'string' && text.trim() !== '' && ORDER.includes(status)
}

interface OfferedItem {
  readonly share: Share
  readonly offered: Restored
}

function inOrder(context: ReliefContext, shares: readonly Share[]): OfferedItem[] {
  const isBinding = ({ share, offered }: OfferedItem) => share.isFirst && offered.status === 'live'
  const lists = shares.map((share) => share.given.map((offered) => ({ share, offered })))
  const size = ({ share, offered }: OfferedItem) => noteOf(context, share.owner, offered).item.tokens
  const binding = lists.flat().filter(isBinding)
  const others = lists.map((list) => list.filter((each) => !isBinding(each)))
  return [
    ...binding.sort((a, b) => size(a) - size(b)),
    ...ORDER.flatMap((status) =>
      takingTurns(others.map((list) => list.filter(({ offered }) => offered.status === status))),
    ),
  ]
}

function takingTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat()
}

/** An item as it fits into so many tokens: whole, cut by whoever gave it, or not at all. */
function fitted(context: ReliefContext, { share, offered }: OfferedItem, room: number): RestoredNote | LeftOutItem {
  const { owner } = share
  const whole = noteOf(context, owner, offered)
  if (whole.item.tokens <= room) return whole
  const shorter = shortened(context, offered, room)
  const cut = shorter && noteOf(context, owner, { ...offered, ...shorter })
  if (cut && cut.item.tokens <= room) return cut
  const [size, place] = [whole.item.tokens, Math.floor(room)].map((tokens) => tokens.toLocaleString('en-US'))
  return { what: offered.what, owner, why: `it has ${size} tokens, and there was room for ${place}` }
}

function shortened(
  context: ReliefContext,
  offered: Restored,
  room: number,
): Pick<Restored, 'text' | 'cut'> | undefined {
  // One more for what is rounded up.
  const frame = estimateText(formatRestored({ ...offered, text: '' })) + 1
  const tokens = Math.floor(room / context.view().tokens.factor - frame)
  if (tokens <= 0) return undefined
  try {
    const shorter = offered.shorten?.(tokens)
    return shorter && isSound({ ...offered, ...shorter }) ? shorter : undefined
  } catch {
    return undefined
  }
}

function noteOf(context: ReliefContext, owner: string, restored: Restored): RestoredNote {
  const text = formatRestored(restored)
  const { what, status, cut } = restored
  const item = { what, status, owner, tokens: context.tokens(estimateText(text)), ...(cut !== undefined && { cut }) }
  return { item, note: { text, trust: 'content', tag: 'restored' } }
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
