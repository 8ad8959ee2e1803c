import { describe, expect, it } from 'vitest'
import { realEffects } from '../../src/session/create-session.js'
import type { SessionEvent } from '../../src/types/events.js'
import { eventsOf } from '../session/setup.js'
import { textResult, type Work } from './counted-tools.js'
import {
  endOf,
  expectSameAfterResume,
  expectSoundLog,
  STEP_KEYS,
  STEPS,
  startTrial,
  stepped,
  type Trial,
} from './trial.js'

const WAYS = ['signal', 'leaving', 'close'] as const
type Way = (typeof WAYS)[number]

/** Works until `isDue`, then stops in one of the ways; resolves to the reason of the end. */
async function interrupted(trial: Trial, way: Way, isDue: (event: SessionEvent) => boolean): Promise<string> {
  const { session } = trial
  const controller = new AbortController()
  const ended = new Promise<string>((resolve) => session.events.on('end', ({ reason }) => resolve(reason)))
  for await (const event of session.query('Work.', { signal: controller.signal })) {
    if (!isDue(event)) continue
    if (way === 'leaving') break
    if (way === 'signal') controller.abort()
    else await session.close()
  }
  return ended
}

const isStart = (what: string) => (event: SessionEvent) =>
  event.type === 'tool-start' && (event.call.input as { what: string }).what === what

/** The named call never ends, and does not listen either. */
const hangingAt =
  (...hanging: string[]): Work =>
  ({ what }) =>
    hanging.includes(what) ? new Promise(() => undefined) : Promise.resolve(textResult(`content of ${what}`))

const resultsOf = ({ store }: Trial): string[] =>
  store
    .entries()
    .flatMap((entry) => (entry.kind === 'user' ? entry.content : []))
    .filter(({ type }) => type === 'tool_result')
    .map(({ content }) => String((content as { text: string }[])[0]?.text))

describe.each(WAYS)('a session that is interrupted by %s', (way) => {
  it.each([
    ['before the first word', 2, (event: SessionEvent) => event.type === 'turn-start'],
    ['in mid-answer', 5, (event: SessionEvent) => event.type === 'delta'],
    ['while an early call runs', 13, isStart('a')],
  ])('%s keeps nothing of the answer, and goes on', async (_when, amount, isDue) => {
    const trial = await startTrial(stepped(STEPS), { work: hangingAt(...(amount === 13 ? ['a'] : [])) })
    trial.simulator.faults.add({ kind: 'stall', amount })
    expect(await interrupted(trial, way, isDue)).toBe('aborted')
    expect(trial.store.entries().some(({ kind }) => kind === 'assistant')).toBe(false)
    expectSoundLog(trial)
    if (amount === 13) return
    const more = await expectSameAfterResume(trial, 'Go on.', way === 'close')
    expect(endOf(more)).toEqual({ type: 'end', reason: 'done' })
    expectSoundLog(trial, 'abort')
  })

  it('while a call runs that does not listen gives it a result, and starts none of those behind it', async () => {
    const steps = [...STEPS.slice(0, 1), [{ type: 'tool_use' as const, name: 'write', input: { what: 'z' } }]]
    const trial = await startTrial(stepped(steps), { work: hangingAt('c') })
    expect(await interrupted(trial, way, isStart('c'))).toBe('aborted')
    expectSoundLog(trial)
    expect(trial.counted.runs.map(({ key }) => key)).not.toContain('write z')
    expect(resultsOf(trial)).toEqual([
      'content of a',
      'content of b',
      expect.stringContaining('may or may not have run'),
      expect.stringContaining('it did not run'),
    ])
    const more = await expectSameAfterResume(trial, 'Go on.', way === 'close')
    expect(endOf(more)).toEqual({ type: 'end', reason: 'done' })
    expectSoundLog(trial)
  })

  it('while calls run side by side keeps the results of those that have ended', async () => {
    const trial = await startTrial(stepped(STEPS), { work: hangingAt('f') })
    expect(await interrupted(trial, way, isStart('f'))).toBe('aborted')
    expectSoundLog(trial)
    expect(trial.counted.runs.map(({ key }) => key).sort()).toEqual(STEP_KEYS)
    expect(resultsOf(trial).slice(4).sort()).toEqual([
      expect.stringContaining('may or may not have run'),
      'content of e',
    ])
    const more = await expectSameAfterResume(trial, 'Go on.', way === 'close')
    expect(endOf(more)).toEqual({ type: 'end', reason: 'done' })
    expectSoundLog(trial)
  })
})

it('tells the model which calls were never begun', async () => {
  const call = (what: string) => ({ type: 'tool_use' as const, name: 'write', input: { what } })
  const trial = await startTrial(stepped([[call('one'), call('two')]]), { work: hangingAt('one') })
  expect(await interrupted(trial, 'signal', isStart('one'))).toBe('aborted')
  expect(resultsOf(trial)).toEqual([
    expect.stringContaining('may or may not have run'),
    expect.stringContaining('did not run'),
  ])
  expect(trial.counted.runs.map(({ key }) => key)).toEqual(['write one'])
})

it('does not wait out a retry that was stopped in the moment it was told of', async () => {
  const controller = new AbortController()
  const trial = await startTrial(stepped(STEPS))
  trial.simulator.faults.add({ kind: 'rate-limit', retryAfter: 3_600 })
  // With the real clock: an hour would be too long for any test.
  const { wait } = realEffects
  const session = await trial.start({ tools: trial.counted.tools, details: { effects: { wait } } })
  session.events.on('recovery', () => controller.abort())
  const events = await eventsOf(session.query('Work.', { signal: controller.signal }))
  expect(endOf(events).reason).toBe('aborted')
})
