import { type Edit, type Entry, memoryStore, type Store } from '@nacre/core'
import { expect, it } from 'vitest'
import { resultsIn, workSession } from './clear/work-session.js'

const TEXT = 'One page after the other is read. '.repeat(500)

/** A log as it was written when one plugin did all of it: prices had no estimates, and everything belonged to `compact`. */
async function recorded(): Promise<{ readonly log: readonly Entry[]; readonly edits: readonly Edit[] }> {
  let time = 0
  const store = memoryStore()
  const work = await workSession({
    calls: 9,
    result: (number) => `${number} ${TEXT}`,
    session: { store, details: { effects: { now: () => time, wait: () => undefined } } },
  })
  await work.run()
  time += 6 * 60_000
  await work.run('Go on.', 0)
  const first = work.session.view().rounds[8]?.span.from
  expect(await work.session.command('snip', first)).toMatch(/^Snipped/)
  const log = ((await store.peek?.(work.session.id)) ?? []).map((entry): Entry => {
    if (entry.kind !== 'edit') return entry
    const { freed, dollars, breaksAt, thinkingLost } = entry.price
    return { ...entry, price: { freed, dollars, breaksAt, thinkingLost } }
  })
  await work.session.close()
  return { log, edits: log.filter((entry) => entry.kind === 'edit') }
}

async function keep(log: readonly Entry[]): Promise<Store> {
  const store = memoryStore()
  const open = await store.open('kept', new AbortController().signal)
  await open.append(log)
  await open.close()
  return store
}

it.each([
  ['as they are', {}],
  ['with the layer off', { 'compact.clear': false, 'compact.snip': false }],
  ['with another layer on', { 'compact.collapse': true }],
  ['with all of it off', { compact: false }],
])('takes back what was recorded, flags %s', async (_name, flags) => {
  const { log, edits } = await recorded()
  expect(edits.map(({ owner, reason }) => `${owner}: ${reason}`)).toEqual([
    'compact: cleared 4 old results',
    'compact: snip: taken out by the user',
  ])
  const store = await keep(log)
  const work = await workSession({
    calls: 1,
    result: () => '',
    session: { store, flags, open: { resume: 'kept' }, details: { effects: { now: () => 6 * 60_000 } } },
  })
  await work.run('What now?', 0)
  const bodies = work.requests.map(({ body }) => body)
  expect(resultsIn(bodies[0] ?? '').map((text) => text.startsWith('[Cleared: '))).toEqual([
    ...Array(4).fill(true),
    ...Array(4).fill(false),
  ])
  for (const { id } of edits.toReversed()) await work.session.undo({ edit: id })
  await work.run('And now?', 0)
  const back = resultsIn(work.requests.at(-1)?.body ?? '')
  expect(back).toEqual(Array.from({ length: 9 }, (_, number) => `${number} ${TEXT}`))
})
