import { describe, expect, it } from 'vitest'
import { batchCost, lowestBatch } from '../../bench/plot/batch-cost.mjs'
import { draw } from '../../bench/plot/draw.mjs'
import { replayUniform, uniformJob } from '../../bench/plot/uniform-job.mjs'
import { READ_SHARES } from '../../bench/prices.mjs'
import { strategy } from '../../bench/strategies.mjs'

describe('the formula', () => {
  it.each(READ_SHARES)('is lowest at the batch that it names, with the cache read at %d×', (share) => {
    const at = (batch: number) => batchCost({ share, batch, keep: 3, tokens: 5_000, base: 10_000 })
    const lowest = lowestBatch({ share, keep: 3 })
    for (const other of [0.5, 0.9, 1.1, 2]) expect(at(lowest * other)).toBeGreaterThan(at(lowest))
  })

  it('says what a replay with equal results costs, within a part of ten', async () => {
    const job = uniformJob({ calls: 40, characters: 4_000 })
    const { requests } = await replayUniform(job, { ...strategy('nothing'), share: 0.1 })
    const [first = 0, ...rest] = requests.map(({ prompt }: { prompt: number }) => prompt)
    const tokens = ((rest.at(-1) ?? 0) - first) / rest.length
    const { dollars } = await replayUniform(job, { ...strategy('batch-6'), share: 0.1 })
    const expected = batchCost({ share: 0.1, batch: 6, keep: 3, tokens, base: first }) * requests.length
    expect(Math.abs(dollars / expected - 1)).toBeLessThan(0.1)
  })
})

describe('the picture', () => {
  const series = [
    { label: 'one', line: [[1, 2] as const, [5, 1] as const], dots: [[2, 2] as const], lowest: [5, 1] as const },
  ]
  const picture = { title: 'Costs', across: 'batch', up: 'cents', series }

  it('is the same for the same figures, and holds all of them', () => {
    const svg = draw(picture)
    expect(draw(picture)).toBe(svg)
    expect(svg.match(/<path /g)).toHaveLength(1)
    expect(svg).toContain('n* = 5.0')
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/)
  })

  it('stays inside its frame', () => {
    const places = [...draw(picture).matchAll(/ (?:cx|x|x1|x2)="([\d.-]+)"/g)].map(([, place]) => Number(place))
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...places)).toBeLessThanOrEqual(800)
  })
})
