import { FAULT_KINDS, type Fault } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import type { ErrorCode } from '../../src/errors.js'
import {
  endOf,
  expectSameAfterResume,
  expectSoundLog,
  recoveries,
  run,
  STEP_KEYS,
  STEPS,
  startTrial,
  stepped,
} from './trial.js'

const passing: Fault[] = [
  { kind: 'rate-limit', retryAfter: 7 },
  { kind: 'overloaded' },
  { kind: 'overloaded', times: 2 },
  { kind: 'internal' },
  { kind: 'timeout' },
  { kind: 'compaction-unavailable' },
  { kind: 'reset' },
  { kind: 'slow', amount: 1 },
  ...[0, 7].flatMap(brokenAt),
]
/** Places in the first answer behind which calls have begun already. */
const late: Fault[] = [13, 18, 25].flatMap(brokenAt)

function brokenAt(amount: number): Fault[] {
  return [
    { kind: 'stream-error', amount },
    { kind: 'cut', amount },
    { kind: 'stall', amount },
  ]
}

const final: [fault: Fault, code: ErrorCode][] = [
  [{ kind: 'spend-cap' }, 'SPEND_CAP'],
  [{ kind: 'too-long' }, 'PROMPT_TOO_LONG'],
]
const PLACES = [0, 1, 2]

describe('a session in which something passes by itself', () => {
  it.each([...passing.flatMap((fault) => PLACES.map((after) => ({ ...fault, after }))), ...late])(
    'runs every call once and is done after %o',
    async (fault) => {
      const trial = await startTrial(stepped(STEPS))
      trial.simulator.faults.add(fault)
      const events = await run(trial.session, 'Work.')
      expect(endOf(events)).toEqual({ type: 'end', reason: 'done' })
      expect(recoveries(events)).toEqual(fault.kind === 'slow' ? [] : Array(fault.times ?? 1).fill('retry'))
      if (fault.kind === 'rate-limit') expect(trial.waits).toEqual([7_000])
      expect(trial.counted.runs.map(({ key }) => key).sort()).toEqual(STEP_KEYS)
      expectSoundLog(trial)
      await expectSameAfterResume(trial, 'And more?')
      expectSoundLog(trial)
    },
  )
})

describe('a session in which something does not pass', () => {
  it.each(final.flatMap(([fault, code]) => PLACES.map((after) => [{ ...fault, after }, code] as const)))(
    'says so after %o, and goes on where it was when it is asked again',
    async (fault, code) => {
      const trial = await startTrial(stepped(STEPS))
      trial.simulator.faults.add(fault)
      const events = await run(trial.session, 'Work.')
      expect(endOf(events)).toMatchObject({ reason: 'error', error: { code } })
      expectSoundLog(trial)
      const more = await expectSameAfterResume(trial)
      expect(endOf(more)).toEqual({ type: 'end', reason: 'done' })
      expect(trial.counted.runs.map(({ key }) => key).sort()).toEqual(STEP_KEYS)
      expectSoundLog(trial)
    },
  )

  it('gives up after eight tries, each later than the one before', async () => {
    const trial = await startTrial(stepped(STEPS))
    trial.simulator.faults.add({ kind: 'internal', times: 9 })
    const events = await run(trial.session, 'Work.')
    expect(endOf(events)).toMatchObject({ reason: 'error', error: { code: 'SERVER' } })
    expect(trial.waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000])
    expect(endOf(await expectSameAfterResume(trial, 'Try again.'))).toEqual({ type: 'end', reason: 'done' })
    expectSoundLog(trial)
  })
})

it('tries every fault that the simulator has', () => {
  const tried = new Set<string>([...passing, ...final.map(([fault]) => fault)].map(({ kind }) => kind))
  expect([...FAULT_KINDS].filter((kind) => !tried.has(kind))).toEqual([])
})
