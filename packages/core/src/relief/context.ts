import type { Timer } from '../async.js'
import type { Conversation } from '../conversation/conversation.js'
import { isText } from '../hooks/read-answer.js'
import type { Owned } from '../plugins/contributions.js'
import type { BlockPlace } from '../request/markers.js'
import type { RenderedMessage } from '../request/user-turn.js'
import type { Thresholds } from '../tokens/thresholds.js'
import type { ReliefDecision, SessionEvent, Watch } from '../types/events.js'
import type { Source } from '../types/fork.js'
import type { CompactEvent, Dispatcher } from '../types/hooks.js'
import type { Asked, Edit, Epoch, Note, Receipt, Rule, Rung, Span } from '../types/log.js'
import type { ModelInfo } from '../types/model.js'
import type { CompactPlan, Draft, Pace, Part, Pressure, Relief, Restorer } from '../types/relief.js'
import type { Tool } from '../types/tool.js'
import type { View } from '../types/view.js'
import { type BreakerState, isStopped, readBreaker, stopNotice } from './breaker.js'

/** How a session frees context: by itself under pressure, when a person asks, and with what background work proposes. */
export interface SessionRelief {
  /**
   * Climbs the rungs until the target is reached; whether the view became smaller. `gap`: the tokens that the API said
   * are too many. One climb at a time: a second one waits. At a turn boundary only.
   */
  relieve(pressure: Pressure, options: RelieveOptions): Promise<boolean>
  /** Folds because a person asks: neither the breaker nor the guard against climbs without progress stops it. */
  compact(options: CompactOptions): Promise<CompactOutcome>
  /** Checks, completes and appends a draft of background work. */
  install(owner: string, draft: Draft, trigger: Receipt['trigger']): Promise<Edit | { readonly refused: string }>
  /** The block before the next cut, as far as is known: a cache entry that ends there will survive it. */
  nextCut(messages: readonly RenderedMessage[]): BlockPlace | undefined
}

export interface RelieveOptions {
  readonly signal: AbortSignal
  readonly gap?: number
}

export interface CompactOptions {
  readonly instructions?: string
  /** Folds only what follows the beginning of a round, or what stands before it; the rest stays. */
  readonly part?: Part
  /** Gives the receipt and changes nothing. */
  readonly dryRun?: boolean
  /** The receipt of a dry run: installs exactly what it showed, as long as the view is the same. */
  readonly use?: Receipt
  /** Who asked, for the receipt; a program by this call unless told. */
  readonly by?: Extract<Asked['by'], 'person' | 'api'>
  readonly signal: AbortSignal
}

export type CompactOutcome =
  | { readonly edit: Edit; readonly receipt: Receipt }
  | { readonly receipt: Receipt; readonly edit?: never }
  | { readonly refused: string; readonly edit?: never }

/** What relief needs of its session. Read at each use: flags, models and windows change while a session runs. */
export interface ReliefContext {
  readonly conversation: Conversation
  /** Whose requests those of the conversation are. */
  readonly source: Source
  readonly hooks: Dispatcher
  view(): View
  reliefs(): readonly Owned<Relief>[]
  restorers(): readonly Owned<Restorer>[]
  thresholds(): Thresholds
  model(): ModelInfo
  /** Real tokens for an estimate. */
  tokens(estimate: number): number
  /** Estimated tokens that arrive each turn, whether the cache is cold, and the turns still expected. */
  pace(): Pace
  /** System and tool bytes made anew, for a fold from the start; `undefined` when they are the same as before. */
  renewEpoch(): Promise<Epoch | undefined>
  /** The files whose words stand in an epoch; in the one in force unless told. */
  rules(epoch?: Epoch): readonly Rule[]
  /** What a checkpoint keeps besides the fold: state, totals, calibration. Must be JSON. */
  checkpoint(): { readonly [key: string]: unknown }
  emit(event: SessionEvent): void
  /** While `work` runs, what handlers note goes to the caller instead of becoming inserts of its own. */
  collectNotes<T>(work: () => Promise<T>): Promise<CollectedNotes<T>>
  tool(name: string): Tool | undefined
  readonly extendsAnswered: CompactPlan['extendsAnswered']
  readonly cachedUpTo: CompactPlan['cachedUpTo']
  /** Asks the model beside the conversation. */
  readonly fork: CompactPlan['fork']
  readonly ask: CompactPlan['ask']
  /** Knows of reliefs that do not end when they should. */
  readonly watch?: Watch
  /** For the time that restorers have; the real one unless told. */
  readonly timer?: Timer
}

export interface CollectedNotes<T> {
  readonly value: T
  readonly notes: readonly { readonly owner: string; readonly note: Note }[]
}

/** What handlers ask of a compaction, or why one of them wants none. */
interface GatheredAnswers {
  readonly instructions: readonly string[]
  readonly veto?: string
}

/**
 * Asks `PreCompact`: instructions are gathered, any veto wins, also one without words. What is meant for the person
 * becomes a notice, but for a dry run, which writes nothing.
 */
export async function askPreCompact(
  { hooks, conversation }: ReliefContext,
  event: CompactEvent,
): Promise<GatheredAnswers> {
  const answers = await hooks.collect('PreCompact', event)
  const instructions: string[] = []
  const vetoes: string[] = []
  for (const { owner, answer } of answers) {
    const given: { readonly [name: string]: unknown } = Object(answer)
    const { veto, message } = given
    if (veto !== undefined && veto !== null && veto !== false)
      vetoes.push(`${owner}: ${isText(veto) ? veto : 'it did not say why'}`)
    else if (typeof given.instructions === 'string') instructions.push(given.instructions)
    if (isText(message) && !event.dryRun)
      await conversation.append({ kind: 'notice', owner, level: 'info', text: message })
  }
  return vetoes.length > 0 ? { instructions, veto: vetoes.join('; ') } : { instructions }
}

interface CompactCause {
  readonly trigger: Receipt['trigger']
  readonly instructions?: string
  readonly dryRun: boolean
}

/** What the hooks of a compaction are told. */
export function compactEvent(
  context: ReliefContext,
  { trigger, instructions, dryRun }: CompactCause,
  span: Span,
): CompactEvent {
  const view = context.view()
  return {
    trigger,
    tokens: view.tokens.total,
    span,
    count: readBreaker(view.state('core', 'relief')).folds,
    ...(instructions !== undefined && { instructions }),
    whole: view.rounds[0]?.span.from === span.from,
    dryRun,
  }
}

/** For whom and why a draft is installed. */
export interface DraftTask {
  readonly owner: string
  readonly rung: Rung
  readonly trigger: Receipt['trigger']
  readonly by: Asked['by']
  readonly pressure: ReliefDecision['pressure']
  /** What the user asked to keep. */
  readonly instructions?: string
  /** Instructions that came too late for the draft, or that its rung can not follow. */
  readonly ignored?: string
  /** Dollars that ways which failed have cost before. */
  readonly wasted?: number
  readonly dryRun: boolean
  readonly signal: AbortSignal
  /** The breaker once the fold has freed that part of the view. */
  afterFold(share: number): BreakerState
}

/** Rungs whose drafts may fold, so that `PreCompact` is asked before. */
export const FOLDING: ReadonlySet<Rung> = new Set<Rung>(['notes', 'summary', 'digest'])

/** Whether something is there that compacts, by itself or when it is asked to. */
export function canCompact(reliefs: readonly Owned<Relief>[]): boolean {
  return reliefs.some(({ item }) => FOLDING.has(item.rung) && (item.compacts?.() ?? true))
}

/** Whether the view is compacted by itself: a layer can, and the breaker has not stopped it. */
export function isAutoCompacted(reliefs: readonly Owned<Relief>[], view: View | undefined): boolean {
  return canCompact(reliefs) && !(view && isStopped(readBreaker(view.state('core', 'relief'))))
}

/** Tells people that automatic compaction has stopped. */
export async function tellStop(context: ReliefContext, breaker: BreakerState): Promise<void> {
  const text = stopNotice(breaker)
  await context.conversation.append({ kind: 'notice', owner: 'core', level: 'warning', text })
}

/** Dollars for a million tokens written to the cache, for as long as the session keeps them there. */
export function writePrice(context: ReliefContext, promptTokens: number): number {
  const { write5m, write1h } = context.model().price(promptTokens)
  return context.pace().ttl === '1h' ? write1h : write5m
}
