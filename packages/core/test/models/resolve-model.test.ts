import { MODELS } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { findModel, knownModels } from '../../src/models/model-table.js'
import { readsThinking, resolveModel } from '../../src/models/resolve-model.js'

describe('the table', () => {
  it.each(MODELS.map((spec) => [spec.id, spec] as const))('says of %s what the simulator says', (id, spec) => {
    const model = resolveModel(id)
    expect(model).toMatchObject({ window: spec.window, maxOutput: spec.maxOutput, cacheMinimum: spec.cacheMinimum })
    expect(model.thinking).toBe(spec.thinking.bound ? 'bound' : spec.thinking.retention === 'all' ? 'kept' : 'turn')
    expect(model.can.has('system-messages')).toBe(spec.systemMessages)
    expect(model.can.has('compaction')).toBe(spec.onDemandCompaction)
    expect(model.tokenFactor).toBe(spec.tokenFactor > 1.3 ? 1.3 : 1)
    for (const size of [1, 100_000, 100_001, 900_000]) {
      const { upTo: _, ...theirs } = spec.prices.find(({ upTo }) => size <= upTo) ?? { upTo: 0 }
      expect(model.price(size)).toMatchObject(theirs)
    }
  })

  it.each([
    ['claude-opus-4-5-20251101', 'claude-opus-4-5'],
    ['claude-sonnet-4-20250514', 'claude-sonnet-4'],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 'claude-haiku-4-5'],
    ['claude-opus-5-5[1m]', 'claude-opus-5-5'],
    ['anthropic/claude-opus-4-6', 'claude-opus-4-6'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['claude-opus-9', undefined],
  ])('finds %s as %s', (name, id) => {
    expect(findModel(name)?.id).toBe(id)
  })
})

describe('a window', () => {
  const environment = { NACRE_CONTEXT_WINDOW: '64000' }
  const betas = ['context-1m-2025-08-07']
  it.each([
    ['claude-opus-4-5[1m]', { betas, environment }, 1_000_000, 'declared', 'suffix [1m]'],
    ['claude-opus-4-5', { betas, environment }, 200_000, 'declared', 'model table (claude-opus-4-5)'],
    ['claude-fable-5-2', {}, 1_000_000, 'assumed', 'model table (claude-fable-5-2)'],
    ['other', { betas, environment }, 1_000_000, 'declared', 'beta context-1m-2025-08-07'],
    ['other', { environment }, 64_000, 'declared', 'NACRE_CONTEXT_WINDOW'],
    ['other', {}, 200_000, 'assumed', 'default'],
    ['other', { like: 'claude-opus-5-5', window: 60_000 }, 60_000, 'declared', 'option window'],
  ])('of %s with %o is %i, %s by %s', (name, options, window, provenance, source) => {
    expect(resolveModel(name, options)).toMatchObject({ window, windowOrigin: { provenance, source } })
  })

  it('that is not a number is refused by the name of its variable', () => {
    const options = { environment: { NACRE_CONTEXT_WINDOW: 'large' } }
    expect(() => resolveModel('other', options)).toThrow(/NACRE_CONTEXT_WINDOW/)
  })
})

describe('an unknown model', () => {
  it('gets safe figures and a warning that names it', () => {
    const model = resolveModel('claude-opus-9')
    expect(model).toMatchObject({ thinking: 'bound', maxOutput: 32_000, tokenFactor: 1.3 })
    expect(model.warnings).toEqual([expect.stringContaining('claude-opus-9')])
    const dearest = Math.max(...knownModels().map((id) => resolveModel(id).price(0).output))
    expect(model.price(0).output).toBeGreaterThanOrEqual(dearest)
  })

  it('that is like a known one has its figures and no warning', () => {
    const model = resolveModel('my-proxy', { like: 'claude-haiku-5-5' })
    expect(model).toMatchObject({ id: 'my-proxy', window: 1_000_000, warnings: [] })
    expect(model.price(200_000).input).toBe(0.5)
  })
})

describe('thinking of another model', () => {
  it.each([
    ['claude-opus-5-5', 'claude-opus-5-5', true],
    ['claude-opus-4-5', 'claude-opus-4-5-20251101', true],
    ['claude-fable-5-1', 'claude-opus-5-5', true],
    ['claude-opus-5-5', 'claude-fable-5-1', false],
    ['claude-opus-5-5', 'other', false],
    ['other', 'other', true],
  ])('%s reads that of %s: %s', (reader, author, reads) => {
    expect(readsThinking(reader, author)).toBe(reads)
  })
})

it('knows other models by all their names', () => {
  const { kin } = resolveModel('claude-opus-5-5')
  expect(kin?.('claude-opus-4-5-20251101')).toEqual(kin?.('claude-opus-4-5'))
  expect(kin?.('claude-opus-5-5')).toMatchObject({ key: 'claude-opus-5-5', isRead: true })
  expect(kin?.('nobody-knows-it')).toMatchObject({ key: 'nobody-knows-it', isRead: false })
})
