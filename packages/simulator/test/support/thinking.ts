import type Anthropic from '@anthropic-ai/sdk'
import type { ModelTurn, ReplyBlock } from '../../src/index.js'
import { callOf, clock } from './conversation.js'

export type BetaMessage = Anthropic.Beta.BetaMessage
export type BetaMessageParam = Anthropic.Beta.BetaMessageParam
export type BetaBlockParam = Anthropic.Beta.BetaContentBlockParam
export type BetaParams = Anthropic.Beta.Messages.MessageCreateParamsNonStreaming

export const BINDING = 'thinking-binding-controls-2026-08-01'

/** A request for thinking on a bound model, without messages. */
export const bound = {
  model: 'claude-opus-5-5',
  max_tokens: 2_000,
  system: 'Be brief.',
  tools: [clock, { name: 'map', input_schema: { type: 'object' as const, properties: { place: { type: 'string' } } } }],
}

/** Thinking as a model replies with it. */
export const thought = (thinking: string) => ({ type: 'thinking' as const, thinking })

export const asked = (content: string | BetaBlockParam[]): BetaMessageParam => ({ role: 'user', content })

export const answered = ({ content }: Pick<BetaMessage, 'content'>): BetaMessageParam => ({
  role: 'assistant',
  content: content as BetaBlockParam[],
})

/** Thinks before everything it does; a prompt that begins with "Use" makes it call the clock. */
export function ponder({ messages }: ModelTurn): readonly ReplyBlock[] {
  const prompt = JSON.stringify(messages.at(-1)?.content)
  const plan = thought(`Step ${messages.length}: what does ${prompt.slice(0, 80)} ask of me?`)
  return [
    plan,
    /"text":"Use/.test(prompt) ? callOf('clock', { zone: 'UTC', style: 'long' }) : `Done ${messages.length}.`,
  ]
}

/** Says each prompt in turn and keeps the whole history; calls are answered with a text. */
export async function converse(
  client: Anthropic,
  params: Omit<BetaParams, 'messages'>,
  prompts: readonly string[],
): Promise<BetaMessageParam[]> {
  const messages: BetaMessageParam[] = []
  for (const prompt of prompts) {
    messages.push(asked(prompt))
    for (;;) {
      const message = await client.beta.messages.create({ ...params, messages: [...messages] })
      messages.push(answered(message))
      const call = message.content.find((block) => block.type === 'tool_use')
      if (!call) break
      messages.push(asked([{ type: 'tool_result', tool_use_id: call.id, content: `It is noon, says ${prompt}` }]))
    }
  }
  return messages
}

export const isThinking = (block: { readonly type: string }) => block.type.endsWith('thinking')

/** The blocks of a message, also where its content is a string. */
export const blocksOf = ({ content }: BetaMessageParam): BetaBlockParam[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as BetaBlockParam[])

/** Every thinking block of a conversation, oldest first. */
export const thinkingIn = (messages: readonly BetaMessageParam[]) => messages.flatMap(blocksOf).filter(isThinking)

/** The conversation without some of its blocks. */
export const without = (messages: readonly BetaMessageParam[], ...gone: readonly BetaBlockParam[]) =>
  messages.map((message): BetaMessageParam => {
    const kept = blocksOf(message).filter((block) => !gone.includes(block))
    return { ...message, content: kept } as BetaMessageParam
  })

/** The conversation with one of its messages replaced. */
export const replaced = (messages: readonly BetaMessageParam[], index: number, message: BetaMessageParam) =>
  messages.with(index < 0 ? messages.length + index : index, message)
