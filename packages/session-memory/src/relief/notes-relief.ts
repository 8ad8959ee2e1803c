import {
  type Block,
  type Draft,
  estimateBlock,
  type FoldOptions,
  foldDraft,
  type ModelInfo,
  type Need,
  type Offer,
  type Receipt,
  type Relief,
  type Round,
  type View,
} from '@nacre/core'
import { type Coverage, OWNER } from '../covering/coverage.js'
import { firstAfter } from '../covering/first-after.js'
import { scaleOf } from '../figures.js'
import { cutSections } from '../notes/cut-sections.js'
import type { FoundNotes } from '../notes-book.js'
import type { Parts } from '../parts.js'
import { keepFrom } from './keep-from.js'

/** The tool of another layer that reads the whole log, where it is installed. */
const RECALL = 'Recall'

export interface ReliefParts extends Parts {
  /** Waits for a running update, as long as that is worth it. */
  settled(signal: AbortSignal): Promise<void>
  /** The view as it is now; the one that was offered for unless the session has begun. */
  view(): View | undefined
  /** Is told of the model that an offer is for: it may be another one than at the start. */
  offered(model: ModelInfo): void
}

/** Folds what the notes cover. They are written already, so it costs nothing and waits for nobody but a running update. */
export function notesRelief(parts: ReliefParts): Relief {
  return {
    name: OWNER,
    rung: 'notes',
    async offer(offered, need) {
      if (need.pressure === 'idle' || need.instructions !== undefined || need.part || !parts.flag('relief')) return
      await parts.settled(need.signal)
      if (need.signal.aborted || !parts.flag('relief')) return
      parts.offered(need.model)
      // The update that was waited for has moved the coverage; the messages are the same.
      const view = parts.view() ?? offered
      return offerFor(parts, view, need, await parts.book.read(view))
    },
  }
}

function offerFor(parts: Parts, view: View, need: Need, { notes, coverage }: FoundNotes): Offer | undefined {
  if (!coverage || notes.size === 0) return undefined
  const uncovered = firstAfter(view, coverage.covers)
  const scale = scaleOf(view.tokens.window)
  const start = uncovered && keepFrom(view, uncovered, scale)
  const folded = view.rounds.slice(0, start ?? 0)
  const [first] = folded
  const last = folded.at(-1)
  // Another fold in the place of the last one alone would free nothing.
  if (!first || !last || folded.every(({ content }) => content)) return undefined
  const span = { from: first.span.from, to: last.span.to }
  const text = `${frame(coverage.turn)}\n\n${cutSections(notes, parts.settings.sections, scale, parts.book.path)}`
  const recall = need.tool(RECALL) ? { recall: RECALL } : {}
  const draft = (trigger: Receipt['trigger']) => foldDraft(view, span, text, { ...told(coverage), trigger, ...recall })
  const frees = folded.reduce((sum, round) => sum + round.tokens, 0) - contentTokens(draft('auto'), view, folded)
  const { total, threshold } = view.tokens
  if (frees <= 0 || total - frees >= threshold) return undefined
  return { span, frees, dollars: 0, draft: ({ trigger }) => draft(trigger) }
}

function told({ turn }: Coverage): FoldOptions {
  const detail = `covers up to turn ${turn}`
  return { reason: `by the notes of the session: ${detail}`, checks: [{ name: 'coverage', ok: true, detail }] }
}

function frame(turn: number): string {
  return `Notes that were kept while the session went on. They cover up to turn ${turn}; all that came after it follows as it was.`
}

/** Real tokens of what would stand for rounds: as many for each of the estimate as those rounds have. */
function contentTokens({ changes }: Draft, view: View, rounds: readonly Round[]): number {
  const [fold] = changes
  const shown = rounds.flatMap(({ entries, content = [] }) => [
    ...content,
    ...entries.flatMap(({ id, content: logged }) => logged.flatMap((_, block) => view.shown({ entry: id, block }))),
  ])
  const tokens = rounds.reduce((sum, round) => sum + round.tokens, 0)
  return estimateOf(fold?.kind === 'fold' ? fold.content : []) * (tokens / Math.max(1, estimateOf(shown)))
}

function estimateOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + estimateBlock(block), 0)
}
