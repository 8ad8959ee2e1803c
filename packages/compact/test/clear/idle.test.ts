import { expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { resultsIn, type WorkOptions, workSession } from './work-session.js'

const LONG = (number: number) => `part ${number} `.repeat(300)
const isCleared = (text: string) => text.startsWith('[Cleared: ')
const MINUTE = 60_000

const thoughtsIn = (body = '') => body.split('"type":"thinking"').length - 1

interface Pause extends Omit<WorkOptions, 'result' | 'session'> {
  readonly minutes: number
  readonly flags?: Readonly<Record<string, boolean>>
  readonly ttl?: '5m' | '1h'
  /** Prompts that are worked on before the pause; each makes so many calls. */
  readonly prompts?: number
}

/** Works, waits for so many minutes, and shows what the next request has of results and thoughts. */
async function afterPause({ minutes, flags = {}, ttl, prompts = 1, ...options }: Pause) {
  let time = 1_000_000
  const effects = { now: () => time, wait: () => undefined }
  const work = await workSession({
    ...options,
    result: LONG,
    session: { flags, details: { effects, ...(ttl && { ttl }) } },
  })
  for (let prompt = 0; prompt < prompts; prompt++) await work.run()
  const edits: string[] = []
  work.session.events.on('edit', ({ edit }) => edits.push(edit.reason))
  const before = work.requests.at(-1)?.body ?? ''
  time += minutes * MINUTE
  await work.run('Go on.', 0)
  expect(work.requests.every(({ status }) => status === 200)).toBe(true)
  const body = work.requests.at(-1)?.body ?? ''
  return {
    ...work,
    edits,
    cleared: resultsIn(body).filter(isCleared).length,
    thoughts: { before: thoughtsIn(before), after: thoughtsIn(body) },
  }
}

it('clears by time whatever the policy is: fidelity is about what is read from the cache', async () => {
  const { cleared, edits } = await afterPause({ calls: 9, minutes: 6, options: { policy: 'fidelity' } })
  expect(cleared).toBe(4)
  expect(edits).toEqual(['cleared 4 old results'])
})

it('has a flag of its own, beside that of clearing by size and where it pays', async () => {
  expect(await afterPause({ calls: 9, minutes: 6, flags: { 'compact.idle': false } })).toMatchObject({ cleared: 0 })
  expect(await afterPause({ calls: 9, minutes: 6, flags: { 'compact.clear': false } })).toMatchObject({ cleared: 4 })
})

it('waits until the cache is cold, however long that is', async () => {
  expect(await afterPause({ calls: 9, minutes: 4 })).toMatchObject({ cleared: 0 })
  expect(await afterPause({ calls: 9, minutes: 59, ttl: '1h' })).toMatchObject({ cleared: 0 })
  expect(await afterPause({ calls: 9, minutes: 60, ttl: '1h' })).toMatchObject({ cleared: 4 })
})

it('takes a gap in minutes, longer or shorter than the cache lives', async () => {
  const longer = { idle: { minutes: 30 } }
  expect(await afterPause({ calls: 9, minutes: 29, options: longer })).toMatchObject({ cleared: 0 })
  expect(await afterPause({ calls: 9, minutes: 30, options: longer })).toMatchObject({ cleared: 4 })
  const shorter = { idle: { minutes: 10 } }
  expect(await afterPause({ calls: 9, minutes: 9, ttl: '1h', options: shorter })).toMatchObject({ cleared: 0 })
  expect(await afterPause({ calls: 9, minutes: 10, ttl: '1h', options: shorter })).toMatchObject({ cleared: 4 })
})

it('leaves as many results as it is told', async () => {
  expect(await afterPause({ calls: 9, minutes: 6, options: { idle: { keep: 2 } } })).toMatchObject({ cleared: 7 })
  expect(await afterPause({ calls: 9, minutes: 6, options: { keep: 7 } })).toMatchObject({ cleared: 2 })
})

it('refuses options that make no sense, and says what they have to be', () => {
  expect(() => compact({ idle: { minutes: 0 } })).toThrow('idle.minutes has to be a number above 0; it is 0.')
  expect(() => compact({ idle: { minutes: Number.NaN } })).toThrow('idle.minutes has to be a number above 0')
  expect(() => compact({ idle: { keep: 0 } })).toThrow('idle.keep has to be a whole number above 0; it is 0.')
})

const think = (number: number) => `What does part ${number} say?`

const ADAPTIVE = { type: 'adaptive' }
const ENABLED = { type: 'enabled', budget_tokens: 2_000 }

it.each([
  ['claude-sonnet-4-6', ADAPTIVE],
  ['claude-opus-4-6', ADAPTIVE],
  ['claude-opus-4-5', ENABLED],
  ['claude-haiku-4-5', ENABLED],
])('takes out all thinking but that of the last turn after an hour on %s', async (model, thinking) => {
  const pause = { model, thinking, calls: 2, prompts: 3, think, window: 200_000 }
  const { thoughts, edits, ...work } = await afterPause({ ...pause, minutes: 61 })
  expect(thoughts).toEqual({ before: 6, after: 2 })
  expect(edits).toEqual(['cleared 1 old result, 4 old thoughts'])
  await work.session.undo()
  await work.run('And now?', 0)
  expect(thoughtsIn(work.requests.at(-1)?.body)).toBe(6)
  expect((await afterPause({ ...pause, minutes: 59 })).thoughts).toEqual({ before: 6, after: 6 })
  const off = await afterPause({ ...pause, minutes: 61, flags: { 'compact.idle': false } })
  expect(off.thoughts).toEqual({ before: 6, after: 6 })
})
