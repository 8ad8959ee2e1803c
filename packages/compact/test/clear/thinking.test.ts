import { expect, it } from 'vitest'
import { resultsIn, workSession } from './work-session.js'

const TEXT = 'A page of a long report. '.repeat(250)
const isCleared = (text: string) => text.startsWith('[Cleared: ')

/** A session on a model whose thinking is bound to its prefix, and what is left of results and thoughts after a pause. */
async function afterPause(minutes: number, flags: Readonly<Record<string, boolean>> = {}, think = true) {
  let time = 0
  const work = await workSession({
    calls: 24,
    model: 'claude-opus-5-5',
    window: 400_000,
    result: (number) => `${number} ${TEXT}`,
    ...(think && { think: (number: number) => `What does page ${number} say?` }),
    session: { flags, details: { effects: { now: () => time, wait: () => undefined } } },
  })
  const edits: string[] = []
  work.session.events.on('edit', ({ edit }) => edits.push(edit.reason))
  await work.run()
  const during = resultsIn(work.requests.at(-1)?.body ?? '').filter(isCleared).length
  time += minutes * 60_000
  await work.run('Go on.', 0)
  const body = work.requests.at(-1)?.body ?? ''
  expect(work.requests.every(({ status }) => status === 200)).toBe(true)
  return {
    during,
    edits,
    after: resultsIn(body).filter(isCleared).length,
    thoughts: body.split('"type":"thinking"').length - 1,
  }
}

it('costs no thought for money alone where the API can clear results itself', async () => {
  expect(await afterPause(6)).toMatchObject({ during: 0, after: 0, thoughts: 24 })
})

it('leaves it to the API after an hour without a word, too', async () => {
  const { during, after, edits } = await afterPause(61)
  expect({ during, after }).toEqual({ during: 0, after: 0 })
  expect(edits).toEqual([expect.stringMatching(/^the API clears .*19 old results$/)])
})

it('clears where it pays when nothing was thought, and where the API is not to do it', async () => {
  expect((await afterPause(0, {}, false)).during).toBeGreaterThan(5)
  const off = await afterPause(0, { 'compact.api': false })
  expect(off.during).toBeGreaterThan(5)
  expect(off.thoughts).toBeLessThan(24)
})
