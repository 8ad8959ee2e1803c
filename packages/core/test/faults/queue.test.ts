import { expect, it } from 'vitest'
import type { SessionEvent } from '../../src/types/events.js'
import { definePlugin } from '../../src/types/plugin.js'
import { endOf, expectSoundLog, run, STEP_KEYS, STEPS, startTrial, stepped } from './trial.js'

const gate = definePlugin({
  name: 'gate',
  setup: () => ({
    hooks: {
      UserPromptSubmit: ({ prompt }) =>
        JSON.stringify(prompt).includes('secret') ? { verdict: 'block', reason: 'No secrets.' } : undefined,
    },
  }),
})

it('lets a second query wait for the first, and asks it the same at the gates', async () => {
  const trial = await startTrial(stepped(STEPS), { session: { plugins: [gate] } })
  const { session } = trial
  const order: string[] = []
  session.events.on('end', ({ reason }) => order.push(reason))
  const all = await Promise.all([run(session, 'Work.'), run(session, 'A secret.'), run(session, 'And then?')])
  expect(order).toEqual(['done', 'blocked', 'done'])
  expect(all.map((events) => endOf(events).reason)).toEqual(order)
  expect(endOf(all[1] ?? [])).toMatchObject({ error: { code: 'BLOCKED', message: 'No secrets.' } })
  expect(all[1]).toHaveLength(1)
  expect(trial.bodies.slice(0, 3).join()).not.toContain('And then?')
  expect(trial.bodies.join()).not.toContain('secret')
  expectSoundLog(trial)
})

it('does not wait for whoever listens slowly', async () => {
  const trial = await startTrial(stepped(STEPS))
  const ended = new Promise<void>((resolve) => trial.session.events.on('end', () => resolve()))
  const seen: SessionEvent[] = []
  for await (const event of trial.session.query('Work.')) {
    // The first event is not let go before the query has ended.
    await ended
    seen.push(event)
  }
  expect(endOf(seen).reason).toBe('done')
  expect(seen[0]).toEqual({ type: 'turn-start', turn: 1 })
  expect(trial.counted.runs.map(({ key }) => key).sort()).toEqual(STEP_KEYS)
})

it('starts work that nobody listens to', async () => {
  const trial = await startTrial(stepped(STEPS))
  trial.session.query('Work.')
  expect(endOf(await run(trial.session, 'And then?')).reason).toBe('done')
  expect(trial.counted.runs).toHaveLength(STEP_KEYS.length)
})

it('leaves no trace of a query that was stopped before its turn came', async () => {
  const trial = await startTrial(stepped(STEPS))
  const controller = new AbortController()
  const first = run(trial.session, 'Work.')
  const second = trial.session.query('Never mind.', { signal: controller.signal })
  const third = run(trial.session, 'And then?')
  controller.abort()
  expect(endOf(await first).reason).toBe('done')
  expect((await second.next()).value).toEqual({ type: 'end', reason: 'aborted' })
  expect(endOf(await third).reason).toBe('done')
  expect(JSON.stringify(trial.store.entries())).not.toContain('Never mind.')
  expectSoundLog(trial)
})

it('leaves out a prompt that was stopped while it was judged', async () => {
  const controller = new AbortController()
  const stopping = definePlugin({
    name: 'stopping',
    setup: () => ({ hooks: { PreparePrompt: () => controller.abort() } }),
  })
  const trial = await startTrial(stepped(STEPS), { session: { plugins: [stopping] } })
  const events: SessionEvent[] = []
  for await (const event of trial.session.query('Never mind.', { signal: controller.signal })) events.push(event)
  expect(endOf(events).reason).toBe('aborted')
  expect(JSON.stringify(trial.store.entries())).not.toContain('Never mind.')
})

it('stops what runs and what waits when it is closed, and answers nothing after that', async () => {
  const reported: string[] = []
  const report = ({ message }: Error) => reported.push(message)
  const trial = await startTrial(stepped(STEPS), { session: { details: { report } } })
  const both = [run(trial.session, 'Work.'), run(trial.session, 'And then?')]
  await trial.session.close()
  const late = run(trial.session, 'Too late.')
  const ends = (await Promise.all([...both, late])).map((events) => endOf(events).reason)
  expect(ends).toEqual(['aborted', 'aborted', 'aborted'])
  expect(JSON.stringify(trial.store.entries())).not.toMatch(/And then|Too late/)
  expect(reported).toEqual([])
  expectSoundLog(trial)
})
