import type Anthropic from '@anthropic-ai/sdk'
import type { CustomModel } from '../../src/index.js'

export type Request = Anthropic.MessageCreateParamsNonStreaming
export type Ttl = '5m' | '1h'

/** The four price classes of a prompt's tokens. */
export interface Split {
  readonly read: number
  readonly write5m: number
  readonly write1h: number
  readonly input: number
}

interface InputUsage {
  readonly input_tokens: number
  readonly cache_read_input_tokens: number | null
  readonly cache_creation_input_tokens: number | null
  readonly cache_creation: Anthropic.CacheCreation | null
}

/** A model whose cache takes prompts of any size, so that tests can do with short ones. */
export const tiny: CustomModel = { id: 'tiny', like: 'claude-opus-5', cacheMinimum: 1 }

export const mark = (ttl: Ttl = '5m') => ({ cache_control: { type: 'ephemeral' as const, ttl } })
export const text = (words: string, ttl?: Ttl) => ({ type: 'text' as const, text: words, ...(ttl && mark(ttl)) })
export const user = (...content: Anthropic.ContentBlockParam[]) => ({ role: 'user' as const, content })
export const assistant = (...content: Anthropic.ContentBlockParam[]) => ({ role: 'assistant' as const, content })

/** A tool whose definition takes up some room. */
export const tool = (name: string, ttl?: Ttl) => ({
  name,
  description: `What ${name} does, in some words.`,
  input_schema: { type: 'object' as const, properties: { path: { type: 'string' } } },
  ...(ttl && mark(ttl)),
})

/** So many text blocks, of which those with the given numbers, counted from one, are marked. */
export function blocks(size: number, marks: Readonly<Record<number, Ttl>> = {}, seed = 'block') {
  return Array.from({ length: size }, (_, index) => text(`${seed} number ${index + 1}`, marks[index + 1]))
}

/** A request to the tiny model. */
export function request(content: readonly Anthropic.ContentBlockParam[], more: Partial<Request> = {}): Request {
  return { model: 'tiny', max_tokens: 100, messages: [user(...content)], ...more }
}

export function splitOf(usage: InputUsage): Split {
  return {
    read: usage.cache_read_input_tokens ?? 0,
    write5m: usage.cache_creation?.ephemeral_5m_input_tokens ?? 0,
    write1h: usage.cache_creation?.ephemeral_1h_input_tokens ?? 0,
    input: usage.input_tokens,
  }
}

/** A split with zeros for what is not named. */
export const split = (some: Partial<Split>): Split => ({ read: 0, write5m: 0, write1h: 0, input: 0, ...some })

/** Sends a request and gives what it was billed for its prompt. */
export async function bill(client: Anthropic, body: Request, headers: Record<string, string> = {}): Promise<Split> {
  return splitOf((await client.messages.create(body, { headers })).usage)
}

/** The tokens of a whole request. */
export async function count(client: Anthropic, body: Request, headers: Record<string, string> = {}): Promise<number> {
  const { max_tokens: _, diagnostics: __, ...rest } = body
  return (await client.messages.countTokens(rest, { headers })).input_tokens
}

/** The tokens of a request's tools and system prompt: what the request has more than its messages alone. */
export async function headTokens(client: Anthropic, body: Request): Promise<number> {
  const { model, max_tokens, tools, system } = body
  const messages = [user(text('x'))]
  const head = { ...(tools && { tools }), ...(system && { system }) }
  return (
    (await count(client, { model, max_tokens, messages, ...head })) -
    (await count(client, { model, max_tokens, messages }))
  )
}
