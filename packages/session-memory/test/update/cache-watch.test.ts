import { expect, it } from 'vitest'
import { setUp } from '../support/set-up.js'
import { readFileTool, worker } from '../support/worker.js'

/** The server loses what it has cached: its clock goes on, that of the session does not. */
const LOST = 6 * 60_000

it('every update that reads nothing of the conversation is told under its own name', async () => {
  const model = worker()
  let lose = () => {}
  // What a request writes counts from its start on.
  const { start, requests, simulator } = await setUp((turn) => {
    if (turn.source === 'main') lose()
    return model(turn)
  })
  lose = () => simulator.clock.advance(LOST)
  const { session, ask, close, events } = await start({ tools: [readFileTool()] })
  await ask('Read 60 files.')
  await close()
  const updates = requests.filter(({ entry }) => entry.source === 'session_memory')
  const empty = updates.filter(({ entry }) => entry.read === 0)
  expect(empty.length).toBeGreaterThan(1)
  const found = session.breaks().filter(({ source }) => source === 'session_memory')
  expect(found).toHaveLength(empty.length)
  for (const each of found) expect(each).toMatchObject({ cause: 'server', read: 0 })
  const told = events.filter((event) => event.type === 'cache-break' && event.cacheBreak.source === 'session_memory')
  expect(told).toHaveLength(empty.length)
})

it('tells nothing of updates that read what the conversation has written', async () => {
  const { start, requests } = await setUp(worker())
  const { session, ask, close } = await start({ tools: [readFileTool()] })
  await ask('Read 60 files.')
  await close()
  expect(requests.some(({ entry }) => entry.source === 'session_memory')).toBe(true)
  expect(session.breaks()).toEqual([])
})
