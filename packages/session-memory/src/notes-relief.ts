import {
  type Draft,
  estimateBlock,
  type FoldOptions,
  foldDraft,
  type ModelInfo,
  type Need,
  type Offer,
  type Relief,
  type Round,
  type View,
} from '@nacre/core'
import { type Coverage, firstAfter, OWNER, type Place } from './covering/coverage.js'
import { cutSections } from './notes/notes.js'
import type { FoundNotes } from './store/notes-store.js'
import type { MemoryContext } from './update/updater.js'

/** What the relief needs of the session that runs. */
interface RunningSession {
  /** Waits for a running update, as long as that is worth it. */
  settled(signal: AbortSignal): Promise<void>
  /** The view as it is now; the one that was offered for unless the session has begun. */
  view(): View | undefined
  /** Is told of the model that an offer is for: it may be another one than at the start. */
  onOffer(model: ModelInfo): void
  /** Is told when the notes are so far behind that nothing can be offered: of tokens that they do not cover, and how many may stay. */
  onBehind(coverage: Coverage, tokens: number, most: number): void
}

/** Folds what the notes cover. They are written already, so it costs nothing and waits for nobody but a running update. */
export function notesRelief(memory: MemoryContext, session: RunningSession): Relief {
  return {
    name: OWNER,
    rung: 'notes',
    compacts: () => memory.flag('relief'),
    async offer(offered, need) {
      if (need.pressure === 'idle' || need.instructions !== undefined || need.part || !memory.flag('relief')) return
      await session.settled(need.signal)
      if (need.signal.aborted || !memory.flag('relief')) return
      session.onOffer(need.model)
      // The update that was waited for has moved the coverage; the messages are the same.
      const view = session.view() ?? offered
      const found = await memory.notesStore.read(view)
      tellBehind(view, need, found, session)
      return offerFor(memory, view, need, found)
    },
  }
}

/** The tool that reads the whole log. By its name: it belongs to another layer, and layers do not import one another. */
const RECALL = 'Recall'

function tellBehind(view: View, { scale }: Need, { coverage }: FoundNotes, { onBehind }: RunningSession): void {
  const uncovered = coverage && firstAfter(view, coverage.covers)
  if (!uncovered) return
  const { tokens } = sizeOf(view.rounds.slice(uncovered.round))
  const most = KEEP_AT_MOST * scale
  if (tokens > most) onBehind(coverage, tokens, most)
}

function offerFor(memory: MemoryContext, view: View, need: Need, { notes, coverage }: FoundNotes): Offer | undefined {
  if (!coverage || notes.size === 0) return undefined
  const uncovered = firstAfter(view, coverage.covers)
  const { scale, trigger } = need
  const start = uncovered && keepFrom(view, uncovered, scale)
  const folded = view.rounds.slice(0, start ?? 0)
  const [first] = folded
  const last = folded.at(-1)
  // Another fold in the place of the last one alone would free nothing.
  if (!first || !last || folded.every(({ content }) => content)) return undefined
  const span = { from: first.span.from, to: last.span.to }
  const text = `${frame(coverage.turn)}\n\n${cutSections(notes, memory.settings.sections, scale, memory.notesStore.path)}`
  const recall = need.tool(RECALL) ? { recall: RECALL } : {}
  const draft = foldDraft(view, span, text, { ...foldOptions(coverage), trigger, ...recall })
  const frees = sizeOf(folded).tokens - need.tokens(contentEstimate(draft))
  // A person gets what there is; else less than is needed would only stand in the way of what frees more.
  if (frees <= 0 || (trigger !== 'manual' && frees < need.excess)) return undefined
  return { span, frees, dollars: 0, draft: () => draft }
}

function foldOptions({ turn }: Coverage): FoldOptions {
  const detail = `covers up to turn ${turn}`
  return { reason: `by the notes of the session: ${detail}`, checks: [{ name: 'coverage', ok: true, detail }] }
}

function frame(turn: number): string {
  return `Notes that were kept while the session went on. They cover up to turn ${turn}; all that came after it follows as it was.`
}

function contentEstimate({ changes: [fold] }: Draft): number {
  return fold?.kind === 'fold' ? fold.content.reduce((sum, block) => sum + estimateBlock(block), 0) : 0
}

/** What stays at least and at most, for a full window, and how many messages. */
const KEEP_AT_LEAST = 10_000
const KEEP_AT_MOST = 40_000
const MESSAGES_KEPT = 5

/**
 * The first round that stays when notes fold what is before it: the first that they do not cover, or one before it, so
 * that enough stays to go on with. `undefined` where what they do not cover is more than may stay. Rounds are whole, so
 * that no call is parted from its result and no thinking from its response.
 */
export function keepFrom({ rounds }: View, uncovered: Place, scale: number): number | undefined {
  const most = KEEP_AT_MOST * scale
  const least = KEEP_AT_LEAST * scale
  let start = uncovered.round
  let { tokens, messages } = sizeOf(rounds.slice(start))
  if (tokens > most) return undefined
  while (tokens < least || messages < MESSAGES_KEPT) {
    const before = rounds[start - 1]
    if (!before || before.content || tokens + before.tokens > most) break
    const size = sizeOf([before])
    tokens += size.tokens
    messages += size.messages
    start -= 1
  }
  return start
}

function sizeOf(rounds: readonly Round[]): { tokens: number; messages: number } {
  const texts = rounds.flatMap(({ entries }) => entries).filter(({ content }) => content.some(isText))
  return { tokens: rounds.reduce((sum, round) => sum + round.tokens, 0), messages: texts.length }
}

function isText({ type, text }: { readonly type: string; readonly text?: unknown }): boolean {
  return type === 'text' && String(text).trim() !== ''
}
