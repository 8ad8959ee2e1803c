import type { Effort, MessagesBody } from '../wire/messages.js'

/** Dollars for a million tokens, for prompts of up to `upTo` tokens. */
export interface PriceTier {
  readonly upTo: number
  readonly input: number
  readonly output: number
  readonly read: number
  readonly write5m: number
  readonly write1h: number
}

export type ThinkingType = 'adaptive' | 'enabled' | 'disabled' | 'between_tools'

/** All that the rules ask of a model. */
export interface ModelSpec {
  readonly id: string
  readonly aliases: readonly string[]
  readonly displayName: string
  readonly line: 'haiku' | 'sonnet' | 'opus' | 'fable' | 'mythos'
  /** A later model reads the thinking of an earlier one, not the other way round. */
  readonly released: string
  /** The day it goes, where one is set. */
  readonly retires: string | null
  readonly window: number
  readonly maxOutput: number
  readonly prices: readonly PriceTier[]
  readonly cacheMinimum: number
  /** Real tokens for each token of the tokenizer. */
  readonly tokenFactor: number
  /** Tokens of the hidden prompt that comes with tools, without and with a forced choice. */
  readonly toolPrompt: { readonly free: number; readonly forced: number }
  readonly thinking: ModelThinking
  /** The effort that an omitted one stands for; `null` where the model has none. */
  readonly effort: Effort | null
  readonly systemMessages: boolean
  readonly forcedToolChoice: boolean
  readonly prefill: boolean
  readonly onDemandCompaction: boolean
  /** What happens when input and `max_tokens` together pass the window: stop there, or refuse the request. */
  readonly overflow: 'stop' | 'refuse'
}

export interface ModelThinking {
  readonly types: readonly ThinkingType[]
  readonly byDefault: boolean
  /** Effort above `high` goes with adaptive thinking only. */
  readonly isNeededAboveHigh: boolean
  readonly display: 'summarized' | 'omitted'
  /** Blocks are valid only on the prefix they were made on. */
  readonly bound: boolean
  /** Which earlier thinking stays in the prompt. */
  readonly retention: 'all' | 'last-turn'
}

/** The tier that a prompt of this size is billed at, as a whole. */
export function priceFor(spec: ModelSpec, promptTokens: number): PriceTier {
  const tier = spec.prices.find((each) => promptTokens <= each.upTo) ?? spec.prices.at(-1)
  if (!tier) throw new Error(`The model ${spec.id} has no price.`)
  return tier
}

/** The effort in force, whether it was named or not. */
export function effortOf(body: MessagesBody, spec: ModelSpec): Effort | null {
  return body.output_config?.effort ?? spec.effort
}

/** Whether the model may think in this request. */
export function thinks(body: MessagesBody, spec: ModelSpec): boolean {
  return body.thinking ? body.thinking.type !== 'disabled' : spec.thinking.byDefault
}

/** Whether the model has to call a tool. */
export function isForced(body: MessagesBody): boolean {
  return body.tool_choice?.type === 'any' || body.tool_choice?.type === 'tool'
}
