import type { Dispatcher } from '../contract/hooks.js'
import type { ModelInfo } from '../contract/model.js'
import type { CompactPlan, Pace, Relief, Restorer } from '../contract/relief.js'
import type { Tool } from '../contract/tool.js'
import type { View } from '../contract/view.js'
import type { Timer } from '../hooks/timer.js'
import type { Epoch, Note, Rule } from '../log/edit.js'
import type { Id } from '../log/entry.js'
import type { SessionEvent } from '../loop/events.js'
import type { Conversation } from '../session/conversation.js'
import type { Thresholds } from '../tokens/thresholds.js'

export interface Owned<T> {
  readonly owner: string
  readonly item: T
}

/** What relief needs of its session. Read at each use: flags, models and windows change while a session runs. */
export interface ReliefParts {
  readonly conversation: Conversation
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
  /** Edits that a person took back: below `overflow` no relief touches what they covered, unless a person asks for it. */
  pinned(): ReadonlySet<Id>
  emit(event: SessionEvent): void
  /** While `work` runs, what handlers note goes to the caller instead of becoming inserts of its own. */
  collectNotes<T>(work: () => Promise<T>): Promise<CollectedNotes<T>>
  tool(name: string): Tool | undefined
  readonly extendsAnswered: CompactPlan['extendsAnswered']
  /** Asks the model beside the conversation. */
  readonly fork: CompactPlan['fork']
  readonly ask: CompactPlan['ask']
  /** For the time that restorers have; the real one unless told. */
  readonly timer?: Timer
}

export interface CollectedNotes<T> {
  readonly value: T
  readonly notes: readonly { readonly owner: string; readonly note: Note }[]
}
