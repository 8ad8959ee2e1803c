import type Anthropic from '@anthropic-ai/sdk'
import { expect } from 'vitest'
import { type ModelTurn, type SimulatedModel, scripted } from '../../src/index.js'
import { rejection } from './simulate.js'

type Params = Anthropic.MessageCreateParamsNonStreaming
type BetaParams = Anthropic.Beta.Messages.MessageCreateParamsNonStreaming
type Loose = Readonly<Record<string, unknown>>

/** A small legal request with changes. They are not typed, since many tests send what the types forbid. */
export function ask(changes: Loose = {}): Params {
  return { model: 'claude-opus-5-5', max_tokens: 100, messages: [user('hi')], ...changes } as Params
}

export function askBeta(betas: readonly string[], changes: Loose = {}): BetaParams {
  return { ...ask(changes), betas } as unknown as BetaParams
}

/** The same request for `countTokens`. */
export function count(changes: Loose = {}): Anthropic.MessageCountTokensParams {
  const { max_tokens: _, ...rest } = ask(changes)
  return rest as Anthropic.MessageCountTokensParams
}

export function countBeta(betas: readonly string[], changes: Loose = {}): Anthropic.Beta.MessageCountTokensParams {
  return { ...count(changes), betas } as unknown as Anthropic.Beta.MessageCountTokensParams
}

export const user = (content: string | readonly unknown[]) => ({ role: 'user' as const, content })
export const assistant = (content: string | readonly unknown[]) => ({ role: 'assistant' as const, content })
export const system = (content: string | readonly unknown[], more: Loose = {}) => ({
  role: 'system' as const,
  content,
  ...more,
})

export const text = (words: string, more: Loose = {}) => ({ type: 'text' as const, text: words, ...more })
export const call = (id: string, name = 'look') => ({ type: 'tool_use' as const, id, name, input: {} })
export const result = (id: string, content: string | readonly unknown[] = 'done') => ({
  type: 'tool_result' as const,
  tool_use_id: id,
  content,
})
export const tool = (name: string, more: Loose = {}) => ({ name, input_schema: { type: 'object' }, ...more })
export const MARKED = { cache_control: { type: 'ephemeral' } }

/** The text of the 400 that a request is answered with. */
export async function refusal(request: PromiseLike<unknown>): Promise<string | null> {
  const error = await rejection(request)
  expect([error.status, error.type]).toEqual([400, 'invalid_request_error'])
  return error.apiMessage
}

/** A model that says "ok" and keeps what it was asked. */
export function watchedModel(): { readonly model: SimulatedModel; readonly turns: readonly ModelTurn[] } {
  const turns: ModelTurn[] = []
  const model = scripted((turn) => {
    turns.push(turn)
    return 'ok'
  })
  return { model, turns }
}

/** All input tokens of a response, however they were billed. */
export function inputOf(usage: {
  readonly input_tokens: number
  readonly cache_creation_input_tokens: number | null
  readonly cache_read_input_tokens: number | null
}): number {
  return usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)
}
