import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ReplyBlock, scripted } from '../../src/index.js'
import { callOf, clock } from '../support/conversation.js'
import { simulate } from '../support/simulate.js'
import {
  answered,
  asked,
  type BetaMessageParam,
  type BetaParams,
  blocksOf,
  bound,
  converse,
  isThinking,
  replaced,
  thinkingIn,
  thought,
  without,
} from '../support/thinking.js'

/** What a prompt makes the model do: think, call a tool, think after its result. */
const exchange = fc.record({ plans: fc.boolean(), calls: fc.boolean(), reflects: fc.boolean() })
type Exchange = typeof exchange extends fc.Arbitrary<infer T> ? T : never

const model = scripted(({ messages }) => {
  const prompt = JSON.stringify(
    messages.findLast(({ content }) => content[0]?.type === 'text' && isPrompt(content[0].text)),
  )
  const isResult = messages.at(-1)?.content[0]?.type === 'tool_result'
  const reply: ReplyBlock[] = prompt.includes(isResult ? 'reflects' : 'plans') ? [thought(`About ${prompt}`)] : []
  return [...reply, prompt.includes('calls') && !isResult ? callOf('clock') : `Answer ${messages.length}`]
})
const isPrompt = (text: unknown) => String(text).startsWith('Prompt')

const promptOf = (wanted: Exchange, index: number) =>
  `Prompt ${index}: ${Object.entries(wanted)
    .filter(([, isWanted]) => isWanted)
    .map(([name]) => name)
    .join()}`

/** An edit, and the first message whose thinking no longer stands on its prefix; `undefined` if the edit is valid. */
interface Edited {
  readonly params?: Partial<BetaParams>
  readonly messages: BetaMessageParam[]
  readonly brokenFrom?: number
}
type Edit = (messages: BetaMessageParam[], at: number) => Edited

const pick = <T>(items: readonly T[], at: number) => items[at % items.length] as T
const indexesOf = (messages: readonly BetaMessageParam[], test: (message: BetaMessageParam) => boolean) =>
  messages.flatMap((message, index) => (test(message) ? [index] : []))
const hasResult = (message: BetaMessageParam) => blocksOf(message)[0]?.type === 'tool_result'
const isAsked = (message: BetaMessageParam) => message.role === 'user' && !hasResult(message)
const isFinal = (message: BetaMessageParam) => blocksOf(message).at(-1)?.type === 'text' && message.role === 'assistant'
const more = (message: BetaMessageParam) =>
  ({ role: message.role, content: [...blocksOf(message), { type: 'text', text: 'And this.' }] }) as BetaMessageParam

const VALID: Edit[] = [
  (messages) => ({ messages }),
  (messages) => ({ messages, params: { tools: [...bound.tools, { ...clock, name: 'later', defer_loading: true }] } }),
  (messages) => ({ messages, params: { tools: bound.tools.toReversed() } }),
  (messages) => ({
    messages,
    params: { output_config: { effort: 'low' }, max_tokens: 99, metadata: { user_id: 'u' } },
  }),
  (messages) => ({ messages, params: { cache_control: { type: 'ephemeral' }, tool_choice: { type: 'none' } } }),
  (messages) => ({ messages: without(messages, ...thinkingIn(messages)) }),
  (messages, at) => ({ messages: without(messages, ...thinkingIn(messages).slice(0, at)) }),
  (messages, at) => ({ messages: without(messages, ...thinkingIn(messages).slice(at)) }),
]

const INVALID: Edit[] = [
  (messages) => ({ messages, params: { system: 'Be long.' }, brokenFrom: 0 }),
  (messages) => ({ messages, params: { tools: bound.tools.slice(0, 1) }, brokenFrom: 0 }),
  (messages, at) => {
    const index = pick(indexesOf(messages, isAsked), at)
    return { messages: replaced(messages, index, asked('Prompt, edited')), brokenFrom: index }
  },
  (messages, at) => {
    const index = pick(indexesOf(messages, isAsked), at)
    return { messages: replaced(messages, index, more(messages[index] as BetaMessageParam)), brokenFrom: index }
  },
  (messages, at) => {
    const index = pick(indexesOf(messages, isFinal), at)
    return { messages: replaced(messages, index, more(messages[index] as BetaMessageParam)), brokenFrom: index + 1 }
  },
  (messages, at) => {
    const results = indexesOf(messages, hasResult)
    if (results.length === 0) return { messages }
    const index = pick(results, at)
    const shorter = blocksOf(messages[index] as BetaMessageParam).map((block) => ({ ...block, content: 'It' }))
    return { messages: replaced(messages, index, asked(shorter as ReturnType<typeof blocksOf>)), brokenFrom: index }
  },
  (messages, at) => {
    const starts = indexesOf(messages, isAsked)
    const start = pick(starts.slice(0, -1), at)
    const next = starts[starts.indexOf(start) + 1] as number
    return { messages: messages.toSpliced(start, next - start), brokenFrom: start }
  },
  (messages, at) => {
    const starts = indexesOf(messages, isAsked)
    const start = pick(starts.slice(0, -2), at)
    const [next, end] = starts.slice(starts.indexOf(start) + 1) as [number, number]
    const swapped = [...messages.slice(next, end), ...messages.slice(start, next)]
    return { messages: messages.toSpliced(start, swapped.length, ...swapped), brokenFrom: start }
  },
  (messages, at) => {
    const blocks = thinkingIn(messages)
    const gone = blocks[1 + (at % Math.max(1, blocks.length - 2))]
    if (!gone || blocks.length < 3) return { messages }
    const index = messages.findIndex((message) => blocksOf(message).includes(gone))
    return { messages: without(messages, gone), brokenFrom: index }
  },
]

const isRefused = ({ messages, brokenFrom = messages.length }: Edited) =>
  messages.slice(brokenFrom).some((message) => blocksOf(message).some(isThinking))

describe('Any client edit of any conversation', () => {
  const conversation = fc.array(exchange, { minLength: 2, maxLength: 4 })
  // Slow machines take their time over the socket; the work itself is a second.
  const PATIENCE = 30_000

  it(
    '[K9] [K13] is refused exactly when it changed what a later thinking block stands on',
    async () => {
      const { client } = await simulate({ model })
      const check = async (wanted: Exchange[], edit: Edit, at: number) => {
        const messages = [...(await converse(client, bound, wanted.map(promptOf))), asked('Prompt, the last')]
        const edited = edit(messages, at)
        const params = { ...bound, ...edited.params, messages: edited.messages }
        const answer = await client.beta.messages.create(params).catch((error: Error) => error)
        const refused = answer instanceof Error && /bound to a different conversation/.test(answer.message)
        expect([answer instanceof Error, refused]).toEqual(Array(2).fill(isRefused(edited)))
      }
      await fc.assert(fc.asyncProperty(conversation, fc.constantFrom(...VALID, ...INVALID), fc.nat(20), check), {
        numRuns: 40,
        seed: 20_261_116,
      })
    },
    PATIENCE,
  )

  it(
    '[K13] is refused exactly when removed thinking comes back before thinking made without it',
    async () => {
      const { client } = await simulate({ model })
      const check = async (wanted: Exchange[], last: Exchange, from: number, count: number) => {
        const messages = [
          ...(await converse(client, bound, wanted.map(promptOf))),
          asked(promptOf({ ...last, calls: false }, 9)),
        ]
        const gone = from % 2 ? thinkingIn(messages).slice(0, count) : thinkingIn(messages).slice(-count)
        const fewer = await client.beta.messages.create({ ...bound, messages: without(messages, ...gone) })
        const restored = { ...bound, messages: [...messages, answered(fewer), asked('Prompt, the last')] }
        const answer = await client.beta.messages.create(restored).catch((error: Error) => error)
        expect(answer instanceof Error).toBe(gone.length > 0 && fewer.content.some(isThinking))
      }
      await fc.assert(fc.asyncProperty(conversation, exchange, fc.nat(9), fc.integer({ min: 1, max: 3 }), check), {
        numRuns: 25,
        seed: 20_261_116,
      })
    },
    PATIENCE,
  )
})
