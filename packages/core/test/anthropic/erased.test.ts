import { describe, expect, it } from 'vitest'
import type { Json } from '../../src/types/log.js'
import type { BlockPosition, Request } from '../../src/types/model.js'
import { endOf, eventsOf, requestOf, setUp } from './setup.js'

const signal = new AbortController().signal
const TOOLS = ['read', 'ask', 'write'].map((name) => ({ name, input_schema: { type: 'object' } }))

/** Calls of those tools, each with its result: call `n` stands in message 2n + 1, its result in the one behind it. */
function worked(names: readonly string[], more: Partial<Request> = {}): Request {
  const messages: Json[] = [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }]
  for (const [number, name] of names.entries()) {
    const id = `toolu_${number}`
    messages.push({ role: 'assistant', content: [{ type: 'tool_use', id, name, input: { text: 'word '.repeat(50) } }] })
    messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'word '.repeat(400) }] })
  }
  return requestOf(messages, { epoch: { system: [], tools: TOOLS }, ...more })
}

const results = (...numbers: number[]): BlockPosition[] =>
  numbers.map((number) => ({ message: 2 * number + 2, block: 0 }))
const inputs = (...numbers: number[]): BlockPosition[] =>
  numbers.map((number) => ({ message: 2 * number + 1, block: 0 }))
const THINKING = { type: 'clear_thinking_20251015', keep: 'all' }

async function asked(request: Request) {
  const { connect, exchanges } = await setUp()
  const end = endOf(await eventsOf(connect(), request))
  const body = JSON.parse(exchanges[0]?.body ?? '') as { context_management?: { edits: Json[] } }
  const answer = exchanges[0]?.response as { context_management?: { applied_edits: Json[] } } | undefined
  return { edits: body.context_management?.edits, applied: answer?.context_management?.applied_edits, end }
}

describe('what a request says is erased', () => {
  it('is cleared from the start on, with the tools in between left alone', async () => {
    const names = ['read', 'ask', 'write', 'read', 'ask', 'read']
    const { edits, applied } = await asked(worked(names, { erased: [...results(0, 2, 3), ...inputs(2)] }))
    expect(edits).toEqual([
      THINKING,
      {
        type: 'clear_tool_uses_20250919',
        trigger: { type: 'tool_uses', value: 2 },
        keep: { type: 'tool_uses', value: 2 },
        exclude_tools: ['ask'],
        clear_tool_inputs: ['write'],
      },
    ])
    expect(applied).toMatchObject([{ cleared_tool_uses: 3 }])
  })

  it('is cleared up to the first use that is not erased, and nothing where that is the first of all', async () => {
    const up = await asked(worked(['read', 'read', 'read', 'read'], { erased: results(0, 2) }))
    expect(up.applied).toMatchObject([{ cleared_tool_uses: 1 }])
    const none = await asked(worked(['read', 'read', 'read'], { erased: results(1, 2) }))
    expect(none.edits).toBeUndefined()
  })

  it('goes beside what a hook asks for, with thinking first, and not at all with a request for a summary', async () => {
    const keep = { type: 'thinking_turns', value: 2 }
    const extra = { context_management: { edits: [{ type: 'clear_thinking_20251015', keep }] } }
    const fields = { maxTokens: 4_000, extra: { ...extra, betas: ['context-management-2025-06-27'] } }
    const { edits } = await asked(worked(['read', 'read'], { erased: results(0), fields }))
    expect(edits?.map((edit) => (edit as { type: string }).type)).toEqual([
      'clear_thinking_20251015',
      'clear_tool_uses_20250919',
    ])
    const compaction = { type: 'summarize' }
    const summary = { maxTokens: 4_000, extra: { ...extra, compaction, betas: ['compact-2026-09-04'] } }
    const other = await asked(worked(['read', 'read'], { erased: results(0), fields: summary }))
    expect([other.edits, other.end.stop]).toEqual([undefined, 'compaction'])
  })

  it('is not counted either', async () => {
    const model = (await setUp()).connect()
    const names = ['read', 'read', 'read']
    const whole = (await model.count?.(worked(names), signal)) ?? 0
    const left = (await model.count?.(worked(names, { erased: results(0, 1) }), signal)) ?? 0
    expect(whole - left).toBeGreaterThan(700)
  })
})

describe('an adapter with cache edits', () => {
  it('gives every result a reference, tells what was deleted, and says that it can', async () => {
    const { connect, exchanges } = await setUp({ details: { extensions: ['cache-edits'] } })
    const model = connect({ cacheEdits: true })
    expect([model.info.can.has('cache-edits'), connect().info.can.has('cache-edits')]).toEqual([true, false])
    const request = worked(['read', 'read'])
    const deletion = { type: 'cache_edits', edits: [{ type: 'delete', cache_reference: 'toolu_0' }] }
    const last = request.messages.at(-1) as { role: string; content: Json[] }
    const messages = [...request.messages.slice(0, -1), { ...last, content: [...last.content, deletion] }]
    const { deleted, usage } = endOf(await eventsOf(model, { ...request, messages }))
    expect(exchanges[0]?.body.match(/"cache_reference":"toolu_1"/g)).toHaveLength(1)
    expect(deleted).toBeGreaterThan(400)
    const plain = endOf(await eventsOf(model, request))
    expect(plain.usage.input - usage.input).toBe(deleted)
    expect(plain.deleted).toBeUndefined()
  })
})
