import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { scripted } from '../../src/index.js'
import { rejection, simulate, words } from '../support/simulate.js'
import {
  asked,
  type BetaMessageParam,
  blocksOf,
  bound,
  converse,
  ponder,
  thinkingIn,
  without,
} from '../support/thinking.js'
import { type PastCall, pastTools, toolHistory } from '../support/tool-history.js'

const betas = ['context-management-2025-06-27']
const params = { model: 'claude-opus-5-5', max_tokens: 500, tools: pastTools }
const CLEARED = '[This tool result was cleared to save context.]'

type Edit = NonNullable<Anthropic.Beta.BetaContextManagementConfig['edits']>[number]
type ClearToolUses = Omit<Anthropic.Beta.BetaClearToolUses20250919Edit, 'type'>

const clearing = (edit: ClearToolUses = {}): Edit => ({ type: 'clear_tool_uses_20250919', ...edit })
const uses = (value: number) => ({ type: 'tool_uses' as const, value })
const tokens = (value: number) => ({ type: 'input_tokens' as const, value })

const call = (seed: string, name = 'read'): PastCall => ({ name, result: words(200, seed) })
const FIVE = ['a', 'b', 'c', 'd', 'e'].map((seed) => call(seed))
const cleared = (past: PastCall): PastCall => ({
  ...past,
  input: { path: `${past.name}/${past.result.length}` },
  result: CLEARED,
})

async function start() {
  const { client } = await simulate()
  const count = async (messages: BetaMessageParam[]) =>
    (await client.beta.messages.countTokens({ model: params.model, tools: pastTools, messages })).input_tokens
  const edit = async (messages: BetaMessageParam[], ...edits: Edit[]) => {
    const message = await client.beta.messages.create({ ...params, messages, betas, context_management: { edits } })
    return { tokens: message.usage.input_tokens, applied: message.context_management?.applied_edits }
  }
  return { client, count, edit }
}

describe('Clearing tool uses', () => {
  it.each([
    ['calls', uses],
    ['tokens', tokens],
  ] as const)('[X1] starts above a trigger in %s, and clears from the oldest on', async (kind, trigger) => {
    const { count, edit } = await start()
    const messages = toolHistory(FIVE)
    const all = await count(messages)
    const size = kind === 'calls' ? FIVE.length : all
    expect(await edit(messages, clearing({ trigger: trigger(size) }))).toEqual({ tokens: all, applied: [] })

    const after = await count(toolHistory([...FIVE.slice(0, 2).map(cleared), ...FIVE.slice(2)]))
    expect(after).toBeLessThan(all)
    expect(await edit(messages, clearing({ trigger: trigger(size - 1) }))).toEqual({
      tokens: after,
      applied: [{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 2, cleared_input_tokens: all - after }],
    })
  })

  it('[X1] starts above 100,000 tokens by default', async () => {
    const { count, edit } = await start()
    const sized = (size: number) => toolHistory([{ name: 'read', result: words(size) }, ...FIVE.slice(0, 3)])
    const [below, above] = [sized(30_000), sized(34_000)]
    expect(await count(below)).toBeLessThan(100_000)
    expect(await count(below)).toBeGreaterThan(90_000)
    expect(await count(above)).toBeGreaterThan(100_000)
    expect((await edit(below, clearing())).applied).toEqual([])
    expect((await edit(above, clearing())).applied).toHaveLength(1)
  })

  it('[X1] keeps as many of the last as it is told, three by default', async () => {
    const { count, edit } = await start()
    for (const [keep, kept] of [
      [undefined, 3],
      [uses(1), 1],
      [uses(0), 0],
      [uses(9), 5],
    ] as const) {
      const { tokens, applied } = await edit(toolHistory(FIVE), clearing({ trigger: uses(1), ...(keep && { keep }) }))
      const rest = FIVE.map((past, index) => (index < FIVE.length - kept ? cleared(past) : past))
      expect(tokens).toBe(await count(toolHistory(rest)))
      expect(applied).toHaveLength(kept === 5 ? 0 : 1)
    }
  })

  it('[X1] shows the model a placeholder, and leaves the call', async () => {
    let seen: unknown
    const { client } = await simulate({
      model: scripted(({ messages }) => {
        seen = messages.slice(1, 3).flatMap(({ content }) => content)
        return 'ok'
      }),
    })
    const messages = toolHistory(FIVE.slice(0, 2))
    const edits = [clearing({ trigger: uses(1), keep: uses(1) })]
    await client.beta.messages.create({ ...params, messages, betas, context_management: { edits } })
    expect(seen).toEqual([
      { type: 'tool_use', id: 'toolu_0', name: 'read', input: expect.objectContaining({ path: expect.any(String) }) },
      { type: 'tool_result', tool_use_id: 'toolu_0', content: CLEARED },
    ])
  })

  it('[X1] clears short results as well', async () => {
    const { edit } = await start()
    const messages = toolHistory([{ name: 'read', result: 'No.' }, ...FIVE])
    const { applied } = await edit(messages, clearing({ trigger: uses(1), keep: uses(5) }))
    expect(applied).toEqual([{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 1, cleared_input_tokens: 0 }])
  })

  it('[X2] spares the tools it is told to', async () => {
    const { count, edit } = await start()
    const calls = [call('a'), call('b', 'find'), call('c'), call('d')]
    const { tokens, applied } = await edit(
      toolHistory(calls),
      clearing({ trigger: uses(1), keep: uses(1), exclude_tools: ['find'] }),
    )
    const [a, b, c, d] = calls as [PastCall, PastCall, PastCall, PastCall]
    expect(tokens).toBe(await count(toolHistory([cleared(a), b, cleared(c), d])))
    expect(applied).toMatchObject([{ cleared_tool_uses: 2 }])
  })

  it('[X2] does nothing when it can not clear enough', async () => {
    const { count, edit } = await start()
    const messages = toolHistory(FIVE)
    const all = await count(messages)
    const gain = all - (await count(toolHistory([...FIVE.slice(0, 2).map(cleared), ...FIVE.slice(2)])))
    const atLeast = (value: number) => edit(messages, clearing({ trigger: uses(1), clear_at_least: tokens(value) }))
    expect(await atLeast(gain)).toMatchObject({ tokens: all - gain, applied: [{ cleared_input_tokens: gain }] })
    expect(await atLeast(gain + 1)).toEqual({ tokens: all, applied: [] })
  })

  it('[X3] clears the inputs of all tools, or of those named, or of none', async () => {
    const { count, edit } = await start()
    const long = (name: string): PastCall => ({ ...call(name, name), input: { path: words(50, name) } })
    const calls = [long('read'), long('find'), long('read')]
    const expected = (named: readonly string[]) =>
      count(
        toolHistory(
          calls.map((past, index) =>
            index === 2
              ? past
              : { ...past, result: CLEARED, input: named.includes(past.name) ? {} : (past.input ?? {}) },
          ),
        ),
      )
    for (const [clear_tool_inputs, named] of [
      [undefined, []],
      [false, []],
      [true, ['read', 'find']],
      [['find'], ['find']],
    ] as [boolean | string[] | undefined, string[]][]) {
      const { tokens } = await edit(
        toolHistory(calls),
        clearing({ trigger: uses(1), keep: uses(1), ...(clear_tool_inputs !== undefined && { clear_tool_inputs }) }),
      )
      expect(tokens).toBe(await expected(named))
    }
  })
})

describe('Clearing thinking', () => {
  const clearThinking = (keep?: 'all' | { type: 'thinking_turns'; value: number } | { type: 'all' }): Edit => ({
    type: 'clear_thinking_20251015',
    ...(keep && { keep }),
  })
  const turns = (value: number) => ({ type: 'thinking_turns' as const, value })

  it('[X4] keeps the last turns asked for, calls and all', async () => {
    const { client } = await simulate({ model: scripted(ponder) })
    const messages = [...(await converse(client, bound, ['Use it', 'Use it too', 'Three'])), asked('Four')]
    const all = thinkingIn(messages)
    expect(all).toHaveLength(5)
    const bill = async (history: BetaMessageParam[], edit?: Edit) => {
      const answer = await client.beta.messages.create({
        ...bound,
        messages: history,
        ...(edit && { betas, context_management: { edits: [edit] } }),
      })
      return { tokens: answer.usage.input_tokens, applied: answer.context_management?.applied_edits }
    }
    const whole = (await bill(messages)).tokens
    for (const [keep, gone] of [
      [1, 4],
      [2, 2],
    ] as const) {
      const { tokens: left } = await bill(without(messages, ...all.slice(0, gone)))
      expect(left).toBeLessThan(whole)
      expect(await bill(messages, clearThinking(turns(keep)))).toEqual({
        tokens: left,
        applied: [
          { type: 'clear_thinking_20251015', cleared_thinking_turns: 3 - keep, cleared_input_tokens: whole - left },
        ],
      })
    }
    for (const keep of [undefined, 'all', { type: 'all' }, turns(3)] as const) {
      expect(await bill(messages, clearThinking(keep))).toEqual({ tokens: whole, applied: [] })
    }
  })

  it('[X4] keeps what is asked for also on models that would forget it', async () => {
    const { client } = await simulate({ model: scripted(ponder) })
    const manual = {
      model: 'claude-haiku-4-5',
      max_tokens: 2_000,
      thinking: { type: 'enabled' as const, budget_tokens: 1_024 },
    }
    const messages = [...(await converse(client, manual, ['One', 'Two', 'Three'])), asked('Four')]
    const bill = async (edit?: Edit) =>
      (
        await client.beta.messages.create({
          ...manual,
          messages,
          ...(edit && { betas, context_management: { edits: [edit] } }),
        })
      ).usage.input_tokens
    const forgotten = await bill()
    const one = await bill(clearThinking(turns(1)))
    const two = await bill(clearThinking(turns(2)))
    const all = await bill(clearThinking('all'))
    expect(await bill(clearThinking())).toBe(forgotten)
    expect([forgotten, one, two, all]).toEqual([forgotten, one, two, all].toSorted((a, b) => a - b))
    expect(new Set([forgotten, one, two, all]).size).toBe(4)
  })

  it('[X4] comes first among the edits', async () => {
    const { edit } = await start()
    const messages = toolHistory(FIVE)
    await edit(messages, clearThinking('all'), clearing())
    const error = await rejection(edit(messages, clearing(), clearThinking('all')))
    expect(error.apiMessage).toContain('context_management.edits.1: `clear_thinking_20251015` must be the first edit')
  })
})

describe('Applied edits', () => {
  it('[X5] stand in the response, and in a stream on the last message_delta only', async () => {
    const { client } = await simulate()
    const request = {
      ...params,
      messages: toolHistory(FIVE),
      betas,
      context_management: { edits: [clearing({ trigger: uses(1) })] },
    }
    const { context_management } = await client.beta.messages.create(request)
    expect(context_management?.applied_edits).toMatchObject([{ cleared_tool_uses: 2 }])
    const carriers: string[] = []
    for await (const event of await client.beta.messages.create({ ...request, stream: true })) {
      if (!JSON.stringify(event).includes('applied_edits')) continue
      carriers.push(event.type)
      expect(event).toMatchObject({ context_management })
    }
    expect(carriers).toEqual(['message_delta'])
  })

  it('[X5] leave the history of the client as it is: every request is edited anew', async () => {
    const { count, edit } = await start()
    const messages = toolHistory(FIVE)
    const before = structuredClone(messages.map(blocksOf))
    const first = await edit(messages, clearing({ trigger: uses(1) }))
    expect(await edit(messages, clearing({ trigger: uses(1) }))).toEqual(first)
    expect(messages.map(blocksOf)).toEqual(before)
    expect((await edit(messages)).tokens).toBe(await count(messages))
  })
})
