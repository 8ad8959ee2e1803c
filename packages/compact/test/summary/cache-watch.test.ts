import { expect, it } from 'vitest'
import { begin, nine, say, work } from './summary-session.js'

/** The server loses what it has cached: its clock goes on, that of the session does not. */
const LOST = 6 * 60_000

it('is told under its own name when a summary reads nothing of the conversation that it extends', async () => {
  const worked = await work({ window: 60_000, calls: 4 })
  const reads: number[] = []
  worked.simulator.observe(({ entry }) => entry.source === 'compact' && reads.push(entry.read))
  const session = await begin(worked)
  expect(await say(session, 'Read all of it.')).toBe('done')
  const told: string[] = []
  session.events.on('cache-break', ({ cacheBreak }) => told.push(cacheBreak.source))
  worked.simulator.clock.advance(LOST)
  await session.compact()
  expect(reads).toEqual([0])
  const [found, ...others] = session.breaks()
  expect(found).toMatchObject({ source: 'compact', cause: 'server', read: 0 })
  expect(found?.tokens).toBeGreaterThan(2_000)
  expect(found?.dollars).toBeGreaterThan(0)
  expect(others).toEqual([])
  expect(told).toEqual(['compact'])
})

it('tells nothing of a summary that reads what the conversation has written', async () => {
  const worked = await work({ window: 60_000, calls: 4 })
  const session = await begin(worked)
  expect(await say(session, 'Read all of it.')).toBe('done')
  await session.compact()
  expect(worked.requests.map(({ source }) => source)).toContain('compact')
  expect(session.breaks()).toEqual([])
})

it.each([true, false])('is told of a summary by the server, too (the cache is lost: %s)', async (isLost) => {
  const worked = await work({
    window: 60_000,
    calls: 4,
    summary: () => nine().replace(/^[\s\S]*<summary>\n|\n<\/summary>$/g, ''),
  })
  const reads: number[] = []
  worked.simulator.observe(({ entry }) => entry.source === 'compact' && reads.push(entry.read))
  const session = await begin(worked, { flags: { 'compact.server': true } })
  expect(await say(session, 'Read all of it.')).toBe('done')
  if (isLost) worked.simulator.clock.advance(LOST)
  const { edit } = await session.compact()
  expect(edit).toBeDefined()
  expect(reads).toHaveLength(1)
  expect(reads[0] === 0).toBe(isLost)
  expect(session.breaks()).toMatchObject(isLost ? [{ source: 'compact', cause: 'server', read: 0 }] : [])
})
