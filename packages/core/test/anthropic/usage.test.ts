import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { toUsage } from '../../src/anthropic/read-stream.js'
import { resolveModel } from '../../src/models/resolve-model.js'
import { createCostLedger } from '../../src/tokens/cost.js'
import type { ModelEnd, Request } from '../../src/types/model.js'
import { endOf, eventsOf, requestOf, setUp } from './setup.js'

const words = (count: number) => Array.from({ length: count }, (_, index) => `word${index % 97}`).join(' ')
const marked = (text: string, ttl: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral', ttl } })
const long = (model: string, source: string, size: number): Request =>
  requestOf([{ role: 'user', content: [marked(words(size), '5m'), { type: 'text', text: 'Go on.' }] }], {
    model,
    epoch: { system: [marked(words(3_000), '1h')], tools: [] },
    fields: { maxTokens: 1_000, extra: { source } },
  })

describe('tokens and dollars', () => {
  it.each(['claude-opus-5-5', 'claude-haiku-5-5', 'claude-sonnet-4-6', 'claude-fable-5-1'])(
    'are those of the server for %s, by price class and by source',
    async (id) => {
      const { connect, simulator } = await setUp({ model: scripted(() => words(50)) })
      const model = connect({ model: id })
      const ledger = createCostLedger()
      for (const [source, size] of [
        ['main', 2_000],
        ['main', 2_000],
        ['dream', 80_000],
        ['main', 80_000],
      ] as const) {
        ledger.add(source, endOf(await eventsOf(model, long(id, source, size))).usage)
      }
      for (const source of ['main', 'dream', undefined]) {
        const theirs = simulator.ledger.totals(source)
        const ours = ledger.totals(source)
        expect(ours.dollars).toBeCloseTo(theirs.dollars, 12)
        expect([ours.requests, ours.input, ours.output, ours.cacheRead, ours.cacheWrite5m, ours.cacheWrite1h]).toEqual([
          theirs.requests,
          theirs.input,
          theirs.output,
          theirs.read,
          theirs.write5m,
          theirs.write1h,
        ])
        expect(ours.hitRate).toBeCloseTo(theirs.hitRate, 12)
      }
      expect(ledger.totals().cacheRead).toBeGreaterThan(0)
      expect(ledger.totals().cacheWrite1h).toBeGreaterThan(0)
    },
  )

  it('include a summary of the server in the bill, and not in the context', async () => {
    const { connect, simulator } = await setUp({
      model: scripted((turn) => (turn.purpose === 'compaction' ? 'Summary.' : 'ok')),
    })
    const betas = ['context-management-2025-06-27', 'compact-2026-01-12']
    const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }]
    const request = requestOf(
      [
        { role: 'user', content: words(40_000) },
        { role: 'assistant', content: 'ok' },
        { role: 'user', content: 'Go on.' },
      ],
      {
        fields: { maxTokens: 1_000, extra: { context_management: { edits } } },
      },
    )
    const end = endOf(await eventsOf(connect({ betas }), request)) as ModelEnd
    const theirs = simulator.ledger.totals()
    expect(end.usage.dollars).toBeCloseTo(theirs.dollars, 12)
    expect(end.usage.input).toBeLessThan(5_000)
    expect(end.billed).toMatchObject({ input: theirs.input, output: theirs.output })
    expect(end.billed?.input).toBeGreaterThan(50_000)
  })

  it('take an answer that is only a summary as no context at all', () => {
    const model = resolveModel('claude-opus-5-5')
    const run = { type: 'compaction', input_tokens: 180_000, output_tokens: 3_500 }
    const { usage, billed } = toUsage({ input_tokens: 0, output_tokens: 0, iterations: [run] }, model)
    expect(usage).toEqual({ input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0.79 })
    expect(billed).toMatchObject({ input: 180_000, output: 3_500, dollars: 0.79 })
  })
})

describe('a cost ledger', () => {
  it('goes on from what it has saved', () => {
    const usage = { input: 1, output: 2, cacheRead: 9, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0.5 }
    const ledger = createCostLedger()
    ledger.add('main', usage)
    ledger.add('agent:reviewer', usage)
    const again = createCostLedger(JSON.parse(JSON.stringify(ledger.state())))
    again.add('main', usage)
    expect(again.totals('main')).toMatchObject({ requests: 2, output: 4, dollars: 1, hitRate: 0.9 })
    expect(again.totals()).toMatchObject({ requests: 3, dollars: 1.5 })
    expect(again.sources()).toEqual(['main', 'agent:reviewer'])
  })
})
