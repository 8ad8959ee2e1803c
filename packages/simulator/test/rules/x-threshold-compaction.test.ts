import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { type Reply, type ReplyBlock, scripted } from '../../src/index.js'
import { callOf, textOf } from '../support/conversation.js'
import { rejection, simulate, words } from '../support/simulate.js'
import { answered, asked, type BetaMessageParam, bound, ponder, replaced, thinkingIn } from '../support/thinking.js'

const betas = ['compact-2026-01-12']
const params = { ...bound, betas }
const LONG = asked(words(17_000))
const SUMMARY = 'All is well so far.'

type Compact = Omit<Anthropic.Beta.BetaCompact20260112Edit, 'type'>
const compact = (edit: Compact = {}) => ({
  context_management: { edits: [{ type: 'compact_20260112' as const, ...edit }] },
})
const at = (value: number) => ({ trigger: { type: 'input_tokens' as const, value } })

/** Summarises with what it is given, and thinks over everything else. */
async function start(summary: Reply | ReplyBlock = SUMMARY) {
  const asks: { purpose: string; instructions: string | undefined; messages: unknown }[] = []
  const { client } = await simulate({
    model: scripted((turn) => {
      asks.push({ purpose: turn.purpose, instructions: turn.instructions, messages: turn.messages })
      return turn.purpose === 'compaction' ? summary : ponder(turn)
    }),
  })
  const { max_tokens: _, ...counted } = params
  const count = async (messages: BetaMessageParam[]) =>
    (await client.beta.messages.countTokens({ ...counted, messages })).input_tokens
  const send = (messages: BetaMessageParam[], edit: Compact = at(50_000)) =>
    client.beta.messages.create({ ...params, messages, ...compact(edit) })
  return { client, asks, count, send }
}

const typesOf = (message: Anthropic.Beta.BetaMessage) => message.content.map(({ type }) => type)
const block = { type: 'compaction' as const, content: SUMMARY, encrypted_content: null }

describe('Threshold compaction', () => {
  it('[X6] starts at its trigger, and goes on from the summary in the same answer', async () => {
    const { asks, count, send } = await start()
    const size = await count([LONG])
    expect(size).toBeGreaterThan(50_000)
    expect(typesOf(await send([LONG], at(size + 1)))).toEqual(['thinking', 'text'])
    const answer = await send([LONG], at(size))
    expect(typesOf(answer)).toEqual(['compaction', 'thinking', 'text'])
    expect(answer.content[0]).toEqual(block)
    expect(answer.stop_reason).toBe('end_turn')
    expect(answer.context_management?.applied_edits).toEqual([])
    expect(asks.slice(-2).map(({ purpose }) => purpose)).toEqual(['compaction', 'message'])
    expect(asks.at(-1)?.messages).toEqual([{ role: 'assistant', content: [block] }])
  })

  it('[X6] starts at 150,000 tokens by default', async () => {
    const { count, send } = await start()
    const [below, above] = [[asked(words(47_000))], [asked(words(52_000))]]
    expect(await count(below)).toBeGreaterThan(140_000)
    expect(await count(below)).toBeLessThan(150_000)
    expect(await count(above)).toBeGreaterThan(150_000)
    expect(typesOf(await send(below, {}))).not.toContain('compaction')
    expect(typesOf(await send(above, {}))).toContain('compaction')
  })

  it('[X6] takes no trigger below 50,000', async () => {
    const { send } = await start()
    await send([asked('Hi')], at(50_000))
    expect((await rejection(send([asked('Hi')], at(49_999)))).apiMessage).toBe(
      'context_management.edits.0.compact_20260112.trigger.value: Input should be greater than or equal to 50000',
    )
  })

  it('[X6] stops after the summary where it is told to pause, and goes on when it is sent again', async () => {
    const { send, asks } = await start()
    const paused = await send([LONG], { ...at(50_000), pause_after_compaction: true })
    expect([paused.stop_reason, paused.content]).toEqual(['compaction', [block]])
    expect(asks).toHaveLength(1)
    const resumed = await send([LONG, answered(paused)])
    expect(typesOf(resumed)).toEqual(['thinking', 'text'])
  })

  it('[X6] has the instructions replace the default ones', async () => {
    const { send, asks } = await start()
    await send([LONG], { ...at(50_000), instructions: 'Names only.' })
    await send([LONG])
    const summaries = asks.filter(({ purpose }) => purpose === 'compaction')
    expect(summaries.map(({ instructions }) => instructions)).toEqual(['Names only.', undefined])
  })

  it('[X6] streams the summary as one delta', async () => {
    const { client } = await start()
    const seen: unknown[] = []
    const request = { ...params, messages: [LONG], ...compact(at(50_000)), stream: true as const }
    for await (const event of await client.beta.messages.create(request)) {
      if (event.type === 'content_block_start' && event.index === 0) seen.push(event.content_block)
      if (event.type === 'content_block_delta' && event.index === 0) seen.push(event.delta)
    }
    expect(seen).toEqual([
      { ...block, content: null },
      { type: 'compaction_delta', content: SUMMARY, encrypted_content: null },
    ])
  })

  it('[X7] ignores what stands before a summary, edited or not', async () => {
    const { count, send } = await start()
    const answer = answered(await send([asked('One'), { role: 'assistant', content: 'Yes.' }, LONG]))
    const next = asked('Two')
    const short = await count([answer, next])
    expect(short).toBeLessThan(1_000)
    expect(await count([asked('One'), { role: 'assistant', content: 'Yes.' }, LONG, answer, next])).toBe(short)
    expect(await count([asked('Something else'), answer, next])).toBe(short)
  })

  it('[X7] ignores thinking and effort that stand before a summary', async () => {
    const { client, send } = await start()
    const before = [asked('One'), answered(await send([asked('One')])), LONG]
    expect(thinkingIn(before)).toHaveLength(1)
    const after = [answered(await send(before)), asked('Two')]
    const effort: BetaMessageParam = { role: 'system', content: [], output_config: { effort: 'low' } }
    const bill = async (messages: BetaMessageParam[]) =>
      (
        await client.beta.messages.create({
          ...params,
          betas: [...betas, 'mid-conversation-output-config-2026-07-01'],
          messages,
        })
      ).usage.input_tokens
    const short = await bill(after)
    expect(await bill([...replaced(before, 0, asked('Won')), effort, ...after])).toBe(short)
  })

  it('[X7] shows a summary that failed as null, and goes on with the whole conversation', async () => {
    const { asks, count, send } = await start(callOf('clock'))
    const answer = await send([LONG])
    expect(answer.content[0]).toEqual({ ...block, content: null })
    expect(answer.usage.input_tokens).toBe(await count([LONG]))
    expect(asks.at(-1)?.messages).toEqual([{ role: 'user', content: [{ type: 'text', text: LONG.content }] }])
    const failed: BetaMessageParam = {
      role: 'assistant',
      content: [
        { type: 'compaction', content: null },
        { type: 'text', text: 'Hm.' },
      ],
    }
    const plain: BetaMessageParam = { role: 'assistant', content: 'Hm.' }
    expect(await count([asked('One'), failed, asked('Two')])).toBe(await count([asked('One'), plain, asked('Two')]))
  })

  it('[X7] refuses an empty summary', async () => {
    const { count } = await start()
    const sent = (content: string) =>
      count([{ role: 'assistant', content: [{ type: 'compaction', content }] }, asked('Two')])
    await sent(SUMMARY)
    expect((await rejection(sent(''))).apiMessage).toBe('messages.0.content.0.compaction.content: must not be empty')
  })

  it('[X8] bills the summary as an iteration of its own, outside the top-level usage', async () => {
    const { count, send } = await start()
    const instructions = 'Names only, please.'
    const { usage, content } = await send([LONG], { ...at(50_000), instructions })
    const size = await count([LONG])
    const asking =
      (await count([
        asked([
          { type: 'text', text: 'a' },
          { type: 'text', text: instructions },
        ]),
      ])) - (await count([asked('a')]))
    const [summary, message, ...more] = usage.iterations ?? []
    expect(more).toEqual([])
    expect(summary).toMatchObject({ type: 'compaction', input_tokens: size + asking, cache_read_input_tokens: 0 })
    expect(summary?.output_tokens).toBe(
      (await count([asked(SUMMARY)])) - (await count([asked('a')])) + (await textTokens(count)),
    )
    const after = await count([{ role: 'assistant', content: [content[0] as typeof block] }])
    expect(message).toMatchObject({ type: 'message', input_tokens: after, output_tokens: usage.output_tokens })
    expect([usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens]).toEqual([
      after,
      0,
      0,
    ])
  })

  it('[X8] tells the iterations of every answer with the header, and of none without', async () => {
    const { client, send } = await start()
    const { usage, content } = await send([asked('Hi')])
    expect(usage.iterations).toMatchObject([{ type: 'message', input_tokens: usage.input_tokens }])
    expect(textOf({ content })).not.toBe('')
    const plain = await client.beta.messages.create({ ...bound, messages: [asked('Hi')] })
    expect(plain.usage.iterations ?? null).toBeNull()
  })
})

/** The tokens of the one-letter text that counts are compared with. */
const textTokens = async (count: (messages: BetaMessageParam[]) => Promise<number>) =>
  (await count([
    asked([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'a' },
    ]),
  ])) - (await count([asked('a')]))

describe('Thinking and a summary', () => {
  const MISMATCH = 'bound to a different conversation'

  it.each(['kept', 'dropped'])('[K15] are no edits: a summary, with what it stands for %s', async (which) => {
    const { send } = await start()
    const before = [asked('One'), answered(await send([asked('One')])), LONG]
    const answer = answered(await send(before))
    const history = (more: BetaMessageParam[]) => [...(which === 'kept' ? before : []), answer, ...more]
    const second = answered(await send(history([asked('Two')])))
    await send(history([asked('Two'), second, asked('Three')]))
    const edited = history([asked('Too'), second, asked('Three')])
    expect((await rejection(send(edited))).apiMessage).toContain(MISMATCH)
  })

  it('[K15] are no edits: a summary that failed', async () => {
    const { send } = await start(callOf('clock'))
    const answer = answered(await send([LONG]))
    await send([LONG, answer, asked('Two')], at(900_000))
    const edited = send([asked('Short'), answer, asked('Two')], at(900_000))
    expect((await rejection(edited)).apiMessage).toContain(MISMATCH)
  })

  it('[K15] are no edits: a pause after the summary', async () => {
    const { send } = await start()
    const paused = answered(await send([LONG], { ...at(50_000), pause_after_compaction: true }))
    const resumed = answered(await send([LONG, paused]))
    expect(thinkingIn([resumed])).toHaveLength(1)
    await send([LONG, paused, resumed, asked('Two')])
    await send([paused, resumed, asked('Two')])
    const other: BetaMessageParam = { role: 'assistant', content: [{ type: 'compaction', content: 'Not so.' }] }
    expect((await rejection(send([other, resumed, asked('Two')]))).apiMessage).toContain(MISMATCH)
  })
})
