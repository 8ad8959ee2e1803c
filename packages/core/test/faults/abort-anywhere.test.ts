import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../../src/types/events.js'
import { eventsOf } from '../session/setup.js'
import { endOf, expectSameAfterResume, expectSoundLog, run, STEPS, startTrial, stepped, type Trial } from './trial.js'

/** Stops a query in the very moment of its n-th event; resolves to that event and the reason of the end. */
async function stoppedAt({ session }: Trial, count: number, way: 'signal' | 'close') {
  const controller = new AbortController()
  let left = count
  let seen: SessionEvent | undefined
  session.events.on('event', (event) => {
    if (left-- !== 0) return
    seen = event
    if (way === 'signal') controller.abort()
    else void session.close()
  })
  const { reason } = endOf(await eventsOf(session.query('Work.', { signal: controller.signal })))
  left = -1
  return { seen, reason }
}

describe.each(['signal', 'close'] as const)('a session that is stopped by %s', (way) => {
  it('is sound and goes on, whichever event it was stopped at', async () => {
    const whole = await run((await startTrial(stepped(STEPS))).session, 'Work.')
    const answered = whole.findLastIndex(({ type }) => type === 'usage')
    for (let count = 0; count < whole.length; count++) {
      const trial = await startTrial(stepped(STEPS))
      const { seen, reason } = await stoppedAt(trial, count, way)
      expect([seen?.type, reason]).toEqual([seen?.type, count < answered ? 'aborted' : 'done'])
      const ran = trial.counted.runs.length
      expectSoundLog(trial)
      if (way === 'close') await trial.session.close()
      expect(endOf(await expectSameAfterResume(trial, 'Go on.', way === 'close')).reason).toBe('done')
      expectSoundLog(trial, 'abort')
      if (way === 'close') expect(trial.counted.runs).toHaveLength(ran)
    }
  })
})

it('does not begin a call that is stopped in the moment it is told of', async () => {
  const trial = await startTrial(stepped([[{ type: 'tool_use', name: 'write', input: { what: 'a' } }]]))
  const controller = new AbortController()
  trial.session.events.on('tool-start', () => controller.abort())
  const events = await eventsOf(trial.session.query('Work.', { signal: controller.signal }))
  expect([endOf(events).reason, trial.counted.runs]).toEqual(['aborted', []])
  expect(events.filter(({ type }) => type === 'tool-end')).toHaveLength(1)
})
