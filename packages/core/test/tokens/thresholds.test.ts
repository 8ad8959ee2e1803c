import { describe, expect, it } from 'vitest'
import { resolveModel } from '../../src/models/resolve-model.js'
import { thresholds } from '../../src/tokens/thresholds.js'

const standard = resolveModel('claude-opus-4-5')
const million = resolveModel('claude-opus-5-5')
const small = resolveModel('small', { like: 'claude-opus-5-5', window: 60_000 })
const percent = (value: string) => ({ environment: { NACRE_AUTOCOMPACT_PCT: value } })

describe('thresholds', () => {
  it.each([
    ['200K', standard, {}, [200_000, 180_000, 167_000, 147_000, 162_000, 177_000]],
    ['1M', million, {}, [1_000_000, 980_000, 967_000, 947_000, 962_000, 977_000]],
    ['1M with a budget', million, { contextBudget: 300_000 }, [300_000, 280_000, 267_000, 247_000, 262_000, 277_000]],
    [
      'a budget above the window',
      standard,
      { contextBudget: 300_000 },
      [200_000, 180_000, 167_000, 147_000, 162_000, 177_000],
    ],
    ['60K', small, {}, [60_000, 54_000, 50_100, 44_100, 48_600, 53_100]],
    [
      'little output',
      { window: 200_000, maxOutput: 8_000 },
      {},
      [200_000, 192_000, 179_000, 159_000, 174_000, 189_000],
    ],
    ['50%', standard, percent('50'), [200_000, 180_000, 90_000, 70_000, 123_500, 177_000]],
    ['100%, which can not raise it', standard, percent('100'), [200_000, 180_000, 167_000, 147_000, 162_000, 177_000]],
    ['without compaction', standard, { autoCompact: false }, [200_000, 180_000, 167_000, 160_000, 168_500, 177_000]],
  ])('of %s', (_, model, options, expected) => {
    const { window, effective, compact, warning, error, block } = thresholds(model, options)
    expect([window, effective, compact, warning, error, block].map(({ tokens }) => tokens)).toEqual(expected)
  })

  it('say where each of them comes from', () => {
    const { window, effective, compact, warning, error, block } = thresholds(million, {
      contextBudget: 400_000,
      ...percent('25'),
    })
    expect([window, effective, compact, warning, error, block].map(({ from }) => from)).toEqual([
      'contextBudget',
      'window - 20000 for the answer',
      'NACRE_AUTOCOMPACT_PCT=25 of effective',
      'compact - 20000',
      'halfway from warning to block',
      'effective - 3000',
    ])
    expect(thresholds(standard).window.from).toBe('model table (claude-opus-4-5), declared')
    expect(thresholds(resolveModel('other')).window.from).toBe('default, assumed')
  })

  it.each(['0', '101', '-5', 'half', 'NaN'])('refuse %s percent by the name of the variable', (value) => {
    expect(() => thresholds(standard, percent(value))).toThrow(
      expect.objectContaining({ code: 'INVALID_SETTINGS', message: expect.stringContaining('NACRE_AUTOCOMPACT_PCT') }),
    )
  })

  it('refuse a budget that is no number of tokens', () => {
    expect(() => thresholds(standard, { contextBudget: 0 })).toThrow(/contextBudget/)
  })

  it('tell how much is left until the compaction, never less than nothing', () => {
    const { percentLeft } = thresholds(standard)
    expect([0, 83_500, 167_000, 190_000].map(percentLeft)).toEqual([100, 50, 0, 0])
  })

  it('shrink with the window and do not grow with it', () => {
    expect([small, standard, million].map((model) => thresholds(model).scale)).toEqual([0.3, 1, 1])
  })
})
