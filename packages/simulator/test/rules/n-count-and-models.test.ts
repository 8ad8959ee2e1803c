import { describe, expect, it } from 'vitest'
import {
  ask,
  askBeta,
  assistant,
  call,
  count,
  countBeta,
  inputOf,
  MARKED,
  refusal,
  result,
  system,
  text,
  tool,
  user,
} from '../support/requests.js'
import { simulate, words } from '../support/simulate.js'

const CLEARING = 'context-management-2025-06-27'
const THRESHOLD = 'compact-2026-01-12'
const ON_DEMAND = 'compact-2026-09-04'

const IDS = [
  'claude-fable-5-2',
  'claude-mythos-5-2',
  'claude-fable-5-1',
  'claude-mythos-5-1',
  'claude-opus-5-5',
  'claude-sonnet-5-5',
  'claude-haiku-5-5',
  'claude-fable-5',
  'claude-mythos-5',
  'claude-opus-5',
  'claude-sonnet-5',
  'claude-opus-4-8',
  'claude-opus-4-7',
  'claude-opus-4-6',
  'claude-sonnet-4-6',
  'claude-opus-4-5-20251101',
  'claude-sonnet-4-5-20250929',
  'claude-haiku-4-5-20251001',
]

/** A conversation of so many calls with results of about a hundred words each. */
function working(calls: number) {
  return Array.from({ length: calls }, (_, index) => [
    user(index === 0 ? 'hi' : [result(`toolu_${index}`, words(100, `r${index}`))]),
    assistant([call(`toolu_${index + 1}`)]),
  ])
    .flat()
    .concat(user([result(`toolu_${calls}`, words(100, `r${calls}`))]))
}

describe('Counting tokens and listing models', () => {
  it.each([
    ['a message', {}],
    ['system and tools', { system: words(50), tools: [tool('look'), tool('later', { defer_loading: true })] }],
    ['a forced choice', { model: 'claude-opus-5', tools: [tool('look')], tool_choice: { type: 'any' } }],
    ['calls and results', { messages: working(3), tools: [tool('look')] }],
    ['a system message', { messages: [user('hi'), system('be brief')] }],
    ['markers', { messages: [user([text(words(1000), MARKED)])] }],
    ['a marker on top', { ...MARKED, messages: [user(words(1000)), assistant('yes'), user('hi')] }],
    ['settings', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' }, speed: 'standard' }],
  ])('[N1] counts what is billed: %s', async (_, changes) => {
    const { client } = await simulate()
    const { input_tokens } = await client.messages.countTokens(count(changes))
    const { usage } = await client.messages.create(ask(changes))
    expect(input_tokens).toBe(inputOf(usage))
  })

  it.each([
    ['max_tokens', 100],
    ['stream', false],
    ['stop_sequences', ['a']],
    ['metadata', {}],
  ])('[N1] takes no %s', async (field, value) => {
    const { client } = await simulate()
    const request = { ...count(), [field]: value }
    expect(await refusal(client.messages.countTokens(request))).toBe(`${field}: Extra inputs are not permitted`)
  })

  it('[N1] costs nothing and leaves the cache and the limits alone', async () => {
    const { client, simulator, exchanges } = await simulate({ details: { limits: { requests: 1 } } })
    const changes = { messages: [user([text(words(1000), MARKED)])] }
    for (let times = 0; times < 3; times++) await client.messages.countTokens(count(changes))
    expect(simulator.ledger.totals()).toMatchObject({ requests: 0, input: 0, dollars: 0 })
    expect(exchanges).toEqual([])
    const { usage } = await client.messages.create(ask(changes))
    expect(usage.cache_read_input_tokens).toBe(0)
  })

  it('[N1] checks the request as if it were meant', async () => {
    const { client } = await simulate()
    const messages = [user('hi'), assistant([call('toolu_1')]), user('hi')]
    expect(await refusal(client.messages.countTokens(count({ messages })))).toMatch(/^messages\.1: `tool_use` ids/)
  })

  it('[N2] counts after context edits, and tells the count before them', async () => {
    const { client } = await simulate()
    const edit = { type: 'clear_tool_uses_20250919', trigger: { type: 'tool_uses', value: 1 } }
    const changes = { messages: working(6), tools: [tool('look')] }
    const edited = { ...changes, context_management: { edits: [{ ...edit, keep: { type: 'tool_uses', value: 1 } }] } }
    const before = await client.beta.messages.countTokens(countBeta([CLEARING], changes))
    expect(before.context_management).toBeNull()
    const after = await client.beta.messages.countTokens(countBeta([CLEARING], edited))
    expect(after.context_management).toEqual({ original_input_tokens: before.input_tokens })
    expect(after.input_tokens).toBeLessThan(before.input_tokens - 400)
    const { usage } = await client.beta.messages.create(askBeta([CLEARING], edited))
    expect(after.input_tokens).toBe(inputOf(usage))
  })

  it('[N2] does not mention context edits outside of the beta', async () => {
    const { client } = await simulate()
    expect(await client.messages.countTokens(count())).toEqual({ input_tokens: expect.any(Number) })
  })

  it('[N2] applies a summary that is there', async () => {
    const { client } = await simulate()
    const summarised = [assistant([{ type: 'compaction', content: 'so far' }]), user('go on')]
    const countOf = async (messages: readonly unknown[]) =>
      (await client.beta.messages.countTokens(countBeta([THRESHOLD], { messages }))).input_tokens
    expect(await countOf([user(words(500)), ...summarised])).toBe(await countOf(summarised))
    const failed = [assistant([{ type: 'compaction', content: null }]), user('go on')]
    expect(await countOf([user(words(500)), ...failed])).toBeGreaterThan(500)
  })

  it('[N2] makes no summary, neither at a threshold nor on demand', { timeout: 30_000 }, async () => {
    const { client } = await simulate()
    const messages = [user(words(30_000))]
    const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }]
    const plain = await client.messages.countTokens(count({ messages }))
    expect(plain.input_tokens).toBeGreaterThan(50_000)
    const due = await client.beta.messages.countTokens(
      countBeta([THRESHOLD], { messages, context_management: { edits } }),
    )
    expect(due).toEqual({ ...plain, context_management: { original_input_tokens: plain.input_tokens } })
    const compaction = { type: 'summarize' }
    const asked = await client.beta.messages.countTokens(countBeta([ON_DEMAND], { messages, compaction }))
    expect(asked.input_tokens).toBe(plain.input_tokens)
  })

  it('[N3] counts about 30% more for models from 4.7 on', async () => {
    const { client } = await simulate()
    const countFor = async (model: string) =>
      (await client.messages.countTokens(count({ model, messages: [user(words(2000))] }))).input_tokens
    const early = await Promise.all(['claude-haiku-4-5', 'claude-opus-4-6', 'claude-sonnet-4-6'].map(countFor))
    const late = await Promise.all(['claude-opus-4-7', 'claude-sonnet-5', 'claude-opus-5-5'].map(countFor))
    expect(new Set(early).size).toBe(1)
    expect(new Set(late).size).toBe(1)
    expect((late[0] ?? 0) / (early[0] ?? 1)).toBeCloseTo(1.3, 1)
  })

  it('[N4] lists all models in pages', async () => {
    const { client } = await simulate()
    const page = await client.models.list({ limit: 7 })
    expect(page.data).toHaveLength(7)
    expect([page.has_more, page.first_id, page.last_id]).toEqual([true, page.data[0]?.id, page.data[6]?.id])
    const ids: string[] = []
    for await (const { id } of page) ids.push(id)
    expect(ids.toSorted()).toEqual(IDS.toSorted())
    const last = await client.models.list({ limit: 7, after_id: ids[13] ?? '' })
    expect([last.data.map(({ id }) => id), last.has_more]).toEqual([ids.slice(14), false])
    const back = await client.models.list({ limit: 7, before_id: ids[10] ?? '' })
    expect([back.data.map(({ id }) => id), back.has_more]).toEqual([ids.slice(3, 10), true])
  })

  it.each([0, 1001, 2.5])('[N4] refuses a page of %s models', async (limit) => {
    const { client } = await simulate()
    expect(await refusal(client.models.list({ limit }))).toMatch(/^limit: /)
    expect((await client.models.list({ limit: 1000 })).has_more).toBe(false)
  })

  it.each([
    ['claude-opus-5-5', 'opus', 1_000_000, 128_000],
    ['claude-fable-5-1', 'fable', 1_000_000, 128_000],
    ['claude-mythos-5', 'mythos', 1_000_000, 128_000],
    ['claude-sonnet-4-6', 'sonnet', 1_000_000, 128_000],
    ['claude-haiku-4-5-20251001', 'haiku', 200_000, 64_000],
  ])('[N4] shows the limits of %s', async (id, line, max_input_tokens, max_tokens) => {
    const { client } = await simulate()
    const model = await client.models.retrieve(id)
    expect(model).toMatchObject({ id, type: 'model', line, max_input_tokens, max_tokens, lifecycle: 'active' })
    expect(model.created_at).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/)
    expect(model.display_name).toMatch(/^Claude /)
  })

  it('[N4] finds a model by its alias', async () => {
    const { client } = await simulate()
    expect((await client.models.retrieve('claude-haiku-4-5')).id).toBe('claude-haiku-4-5-20251001')
  })

  it('[N4] shows what a model is capable of, leaf by leaf', async () => {
    const { client } = await simulate()
    const yes = { supported: true }
    const no = { supported: false }
    const opus = (await client.beta.models.retrieve('claude-opus-5-5')).capabilities
    const haiku = (await client.beta.models.retrieve('claude-haiku-4-5')).capabilities
    expect(opus).toMatchObject({
      compaction: yes,
      effort: { supported: true, low: yes, medium: yes, high: yes, max: yes },
      thinking: { supported: true, types: { adaptive: yes, enabled: no } },
      context_management: { supported: true, clear_thinking_20251015: yes, clear_tool_uses_20250919: yes },
      image_input: yes,
      pdf_input: yes,
      structured_outputs: yes,
    })
    expect(haiku).toMatchObject({
      compaction: no,
      effort: { supported: false, low: no, max: no },
      thinking: { supported: true, types: { adaptive: no, enabled: yes } },
    })
  })
})
