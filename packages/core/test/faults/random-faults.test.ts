import { FAULT_KINDS, type FaultKind } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { clearing } from './clearing.js'
import { call, endOf, expectSameAfterResume, expectSoundLog, recoveries, run, startTrial, stepped } from './trial.js'

const CALLS = 60
const NAMES = ['look', 'look', 'write', 'fetch', 'fetch']

/** Answers with one call, then two, then three, and so on in turn, until all have been made. */
function plan(): ReturnType<typeof call>[][] {
  const steps: ReturnType<typeof call>[][] = []
  for (let next = 0; next < CALLS; ) {
    const size = Math.min(1 + (steps.length % 4), CALLS - next)
    steps.push(
      Array.from({ length: size }, (_, index) => call(NAMES[(next + index) % 5] ?? '', `number ${next + index}`)),
    )
    next += size
  }
  return steps
}

const passing = FAULT_KINDS.filter((kind) => kind !== 'spend-cap')

async function workThrough(kinds: readonly FaultKind[], probability: number): Promise<void> {
  const trial = await startTrial(stepped(plan()), { session: { plugins: [clearing] } })
  for (const [index, kind] of kinds.entries()) {
    const amount = kind === 'slow' ? 1 : 3 + ((index * 5) % 8)
    // Nothing can be cleared before there are results.
    trial.simulator.faults.add({ kind, probability, seed: 100 + index, amount, retryAfter: 1, after: 3 })
  }
  const events = await run(trial.session, 'Work.')
  expect(endOf(events)).toEqual({ type: 'end', reason: 'done' })
  if (kinds[0] !== 'slow') expect(recoveries(events).length).toBeGreaterThan(3)
  trial.simulator.faults.clear()
  expect(trial.counted.runs).toHaveLength(CALLS)
  expect(trial.counted.most()).toBeGreaterThan(1)
  expectSoundLog(trial)
  await expectSameAfterResume(trial, 'And more?')
  expectSoundLog(trial)
}

it.each(passing)(
  'makes 60 calls once each while one request in five meets %s',
  async (kind) => {
    await workThrough([kind], 0.2)
  },
  60_000,
)

it('makes 60 calls once each while everything that can pass goes wrong by turns', async () => {
  await workThrough(passing, 0.05)
})
