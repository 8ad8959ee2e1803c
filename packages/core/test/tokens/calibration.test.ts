import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createCalibration } from '../../src/tokens/calibration.js'
import { estimateBlock, TURN_TOKENS } from '../../src/tokens/estimate.js'
import type { Block } from '../../src/types/log.js'

interface Turn {
  readonly tokens: number
  readonly content: readonly Block[]
}

const turns: Turn[] = readFileSync(new URL('../fixtures/pi-turns.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))

const estimateOf = ({ content }: Turn) => content.reduce((sum, block) => sum + estimateBlock(block), TURN_TOKENS)

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

/** The errors of each turn behind the tenth, for a model that counts so many times the tokens of the recorded one. */
function errorsAfterTen(times: number, modelFactor: number): number[] {
  const calibration = createCalibration(modelFactor)
  const errors = turns.map((turn) => {
    const [estimate, actual] = [estimateOf(turn), turn.tokens * times]
    const error = Math.abs(calibration.tokens(estimate) - actual) / actual
    calibration.learn(estimate, actual)
    return error
  })
  return errors.slice(10)
}

describe('a calibration', () => {
  it.each([
    [1, 1],
    [1.3, 1.3],
    [1.15, 1.3],
    [1.5, 1],
  ])('is within 5%% in the median after ten recorded turns (tokens × %f, factor %f)', (times, factor) => {
    expect(median(errorsAfterTen(times, factor))).toBeLessThan(0.05)
  })

  it('pads until it has seen enough', () => {
    const calibration = createCalibration(1.3)
    expect(calibration.tokens(300)).toBe(520)
    for (let turn = 0; turn < 3; turn++) calibration.learn(1_000, 1_100)
    expect([calibration.isCalibrated, calibration.tokens(300)]).toEqual([true, 330])
  })

  it('is not moved by single turns that are far off', () => {
    const calibration = createCalibration(1)
    for (let turn = 0; turn < 10; turn++) calibration.learn(1_000, 1_100)
    calibration.learn(5_000, 20_000)
    calibration.learn(1_000, 1_000_000)
    calibration.learn(0, 500)
    calibration.learn(1_000, -500)
    expect(calibration.factor).toBeCloseTo(1.1)
  })

  it('follows when the kind of text changes', () => {
    const calibration = createCalibration(1)
    for (let turn = 0; turn < 30; turn++) calibration.learn(1_000, 1_100)
    for (let turn = 0; turn < 10; turn++) calibration.learn(1_000, 1_400)
    expect(calibration.factor).toBeCloseTo(1.4)
  })

  it('goes on from what it has saved, and keeps that small', () => {
    const calibration = createCalibration(1)
    for (let turn = 0; turn < 500; turn++) calibration.learn(1_000, 1_000 + turn)
    const saved = JSON.stringify(calibration.state())
    expect(saved.length).toBeLessThan(3_000)
    expect(createCalibration(1, JSON.parse(saved)).factor).toBe(calibration.factor)
  })
})
