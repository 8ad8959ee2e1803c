import type { Fault } from '@nacre/simulator'
import { expect, it } from 'vitest'
import type { ForkResult } from '../../src/types/fork.js'
import type { HookContext } from '../../src/types/hooks.js'
import { definePlugin } from '../../src/types/plugin.js'
import { call, endOf, expectSameAfterResume, expectSoundLog, run, startTrial } from './trial.js'

const QUESTION = 'Beside this: how far is it?'

/** Works on its task, and answers what it is asked beside it with one look and a sentence. */
const startForked = async () => {
  let context: HookContext | undefined
  const keeping = definePlugin({
    name: 'keeping',
    setup: () => ({
      hooks: {
        PostModelCall(_event, given) {
          context = given
        },
      },
    }),
  })
  const trial = await startTrial(
    ({ messages, source }) => {
      const last = JSON.stringify(messages.at(-1))
      if (source === 'main') return last.includes('tool_result') ? 'Main is done.' : [call('write', last.slice(-30))]
      return last.includes('content of beside') ? 'Half way.' : ['I look. '.repeat(20), call('look', 'beside')]
    },
    { session: { plugins: [keeping] } },
  )
  expect(endOf(await run(trial.session, 'Work.')).reason).toBe('done')
  const fork = (source = 'extract', signal?: AbortSignal): Promise<ForkResult> =>
    (context as HookContext).fork({
      source,
      prompt: [{ type: 'text', text: QUESTION }],
      maxTurns: 5,
      allow: (_call, tool) => tool.isReadOnly({}),
      ...(signal && { signal }),
    })
  return { ...trial, fork }
}

const faults: Fault[] = [
  { kind: 'rate-limit', retryAfter: 2 },
  { kind: 'overloaded', times: 2 },
  { kind: 'reset' },
  { kind: 'stream-error', amount: 12 },
  { kind: 'cut', amount: 12 },
  { kind: 'stall', amount: 3 },
]

it.each(faults.flatMap((fault) => [fault, { ...fault, after: 1 }]))(
  'gets over %o beside the session',
  async (fault) => {
    const trial = await startForked()
    const before = trial.store.entries().length
    trial.simulator.faults.add({ ...fault, source: 'extract', ...(fault.after && fault.amount && { amount: 3 }) })
    expect(await trial.fork()).toMatchObject({ text: 'Half way.', stop: 'end_turn', turns: 2 })
    expect(trial.counted.runs.filter(({ key }) => key === 'look beside')).toHaveLength(1)
    expect(trial.store.entries()).toHaveLength(before)
    expectSoundLog(trial)
    await expectSameAfterResume(trial, 'And more?')
  },
)

it('lets the others go on when the first of several is refused', async () => {
  const trial = await startForked()
  trial.simulator.faults.add({ kind: 'spend-cap', source: 'extract' })
  const ends = await Promise.allSettled([trial.fork(), trial.fork(), trial.fork('dream')])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect((ends[0] as PromiseRejectedResult).reason).toMatchObject({ code: 'SPEND_CAP' })
})

it('lets the others go on when the first of several is stopped in mid-answer, or before', async () => {
  const trial = await startForked()
  trial.simulator.faults.add({ kind: 'stall', amount: 2, source: 'extract' })
  const controller = new AbortController()
  const first = trial.fork('extract', controller.signal)
  const others = [trial.fork('dream'), trial.fork('dream', AbortSignal.abort())]
  controller.abort()
  const ends = await Promise.allSettled([first, ...others])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
  for (const end of [ends[0], ends[2]]) {
    expect((end as PromiseRejectedResult).reason).toMatchObject({ code: 'ABORTED' })
  }
  await expectSameAfterResume(trial, 'And more?')
})
