import type { NacreError } from '../errors.js'
import type { Source } from './fork.js'
import type { AssistantEntry, Block, Edit, NoticeEntry, Receipt, Rung, Usage } from './log.js'
import type { BlockPosition } from './model.js'
import type { Pressure } from './relief.js'
import type { ToolCall, ToolResult } from './tool.js'

/** Why a query ended. `max-tokens`: the last answer is cut at the output limit, whatever was tried against it. */
export type EndReason = 'done' | 'aborted' | 'blocked' | 'refused' | 'max-turns' | 'max-tokens' | 'budget' | 'error'

/** What the loop did about something that went wrong. */
export type RecoveryKind =
  | 'retry'
  | 'fallback'
  | 'overflow'
  | 'raise-output'
  | 'continue-output'
  | 'resume-pause'
  | 'empty-answer'
  | 'drop-thinking'

/** The sizes that people are told of; see `Thresholds`. */
export type SizeName = 'warning' | 'error' | 'block'

/** What a query tells while it runs. */
export type SessionEvent =
  /** Before the first query after a resume or in a copy: the prompt that the session goes on with is not what it would be now. */
  | { readonly type: 'outdated'; readonly changes: PromptChanges }
  | { readonly type: 'turn-start'; readonly turn: number }
  | { readonly type: 'delta'; readonly index: number; readonly block: Block }
  | { readonly type: 'response'; readonly entry: AssistantEntry }
  | { readonly type: 'tool-start'; readonly call: ToolCall }
  | { readonly type: 'tool-progress'; readonly call: ToolCall; readonly text: string }
  /** Exactly one for each call of an answer, also for one that never ran: it has no `tool-start`, and tells who was against it. */
  | { readonly type: 'tool-end'; readonly call: ToolCall; readonly result: ToolResult; readonly denied?: Denial }
  | { readonly type: 'recovery'; readonly kind: RecoveryKind; readonly attempt: number; readonly reason: string }
  | { readonly type: 'edit'; readonly edit: Edit }
  | { readonly type: 'receipt'; readonly receipt: Receipt }
  | { readonly type: 'relief'; readonly decision: ReliefDecision }
  | { readonly type: 'usage'; readonly source: Source; readonly usage: Usage }
  /** How much of an answer beside the conversation has come so far; at its beginning nothing. */
  | { readonly type: 'fork-progress'; readonly source: Source; readonly characters: number }
  /** What was asked beside the conversation is over, whether it was answered or not. */
  | { readonly type: 'fork-end'; readonly source: Source }
  | { readonly type: 'cache-break'; readonly cacheBreak: CacheBreak }
  | { readonly type: 'notice'; readonly notice: NoticeEntry }
  /** The view has become larger than one of the sizes that people are told of. Once, until it has been below it. */
  | { readonly type: 'threshold'; readonly name: SizeName; readonly tokens: number; readonly limit: number }
  | {
      readonly type: 'end'
      readonly reason: EndReason
      readonly error?: NacreError
      /** What had not ended when the query was stopped, and was left alone: only where that is why it ends. */
      readonly left?: readonly LeftBehind[]
    }

/** What would be otherwise in a prompt that was made now, by name. Sections that belong to one session differ in any case. */
export interface PromptChanges {
  readonly sections: readonly string[]
  readonly tools: {
    readonly added: readonly string[]
    readonly gone: readonly string[]
    readonly changed: readonly string[]
  }
}

/** Work that did not end when it was told to, by the kind of it, its name, and the plugin that it belongs to. */
export interface LeftBehind {
  readonly what: 'background' | 'hook' | 'model' | 'plugin' | 'relief' | 'store' | 'sub-agent' | 'tool'
  readonly name: string
  readonly plugin?: string
}

/** Notices work until it ends, and gives it back. */
export type Watch = <Work>(what: LeftBehind, work: Work) => Work

/**
 * Who kept a call from running. `plugin`: a gate of it, by its name. `tool`: its own check. `person`: said no. `nobody`:
 * could be asked, or answered. `task`: what a fork or a sub-agent may do. `unknown`: there is no such tool. `input`: it
 * does not fit. `interruption`: the query was stopped or failed before.
 */
export interface Denial {
  readonly by: 'plugin' | 'tool' | 'person' | 'nobody' | 'task' | 'unknown' | 'input' | 'interruption'
  /** Of the plugin or the tool. */
  readonly name?: string
  /** What the model reads. */
  readonly reason: string
}

/**
 * What became of an offer, a draft or a restorer. `declined`: it does not pay. `void`: the view has changed inside its
 * span, or it had none. `refused`: its draft did not pass the checks. `failed`: it threw or took too long. `stopped`:
 * the breaker or the guard against climbs without progress held it back, or it rests since it has failed again and again.
 */
export type ReliefVerdict = 'taken' | 'declined' | 'void' | 'refused' | 'failed' | 'vetoed' | 'stopped'

/** Told for each decision of the arbiter, also for 'no'. */
export interface ReliefDecision {
  readonly verdict: ReliefVerdict
  readonly reason: string
  readonly pressure: Pressure | 'manual' | 'proposed'
  readonly owner?: string
  /** The relief or the restorer. */
  readonly name?: string
  readonly rung?: Rung
  readonly figures?: CutDecision['figures']
}

/** What decides whether a cut into the cached past pays. Prices in dollars for a million tokens. */
export interface CutFigures {
  readonly readPrice: number
  readonly writePrice: number
  /** Tokens behind the last cache entry that survives the cut: they are written again. */
  readonly rewritten: number
  /** The part of them that is written again once, whenever the cut is made, so that waiting spares nothing of it. */
  readonly once?: number
  /** What arrives each turn and can be freed. What stays is read anyway. */
  readonly tokensPerTurn: number
  readonly frees: number
  /**
   * What has been read since the last cut and could have been freed, with this turn: its tokens, once for each turn
   * that read them. As if they had come evenly, unless told.
   */
  readonly held?: number
  readonly isCold: boolean
  readonly turnsExpected: number
  /** What it costs to make the cut, besides the rewrite. */
  readonly dollars?: number
}

export interface CutDecision {
  readonly pays: boolean
  readonly figures: CutFigures & {
    readonly held: number
    /** Turns between two cuts at the lowest cost, and the tokens that arrive in them. */
    readonly bestTurns: number
    readonly bestBatch: number
    /** Dollars: once for the cut, of that the part that fewer cuts would spare, and what has been paid for waiting. */
    readonly costs: number
    readonly spared: number
    readonly waited: number
    /** Dollars that are not spent over the turns still expected. */
    readonly saves: number
  }
}

/** Where two requests part, and whose doing it is. */
export interface Divergence {
  readonly cause: 'model' | 'settings' | 'tools' | 'system' | 'edit'
  readonly owner: string
  /** What is otherwise, in words. */
  readonly what: string
  /** Why, where an edit says so. */
  readonly reason?: string
  readonly place?: BlockPosition
}

/** Whose doing it is if less is read than was cached. `markers`: none stands near enough to what is cached. */
export interface Suspect extends Omit<Divergence, 'cause'> {
  readonly cause: Divergence['cause'] | 'expired' | 'images' | 'markers' | 'server'
}

/** A cache read that should have been and was not: why, whose doing, and what it cost. */
export interface CacheBreak extends Suspect {
  /** Whose request it was. */
  readonly source: Source
  /** Tokens that should have been read, that were, and the difference. */
  readonly predicted: number
  readonly read: number
  readonly tokens: number
  readonly dollars: number
}
