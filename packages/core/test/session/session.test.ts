import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { eventsOf, setUp } from './setup.js'

it('answers a prompt, runs its tools and says why it ended', async () => {
  const { start, simulator } = await setUp(
    scripted([[{ type: 'tool_use', name: 'read_file', input: { path: 'a.ts' } }], 'done']),
  )
  const session = await start()
  const events = await eventsOf(session.query('Look at a.ts'))
  expect(events.at(-1)).toEqual({ type: 'end', reason: 'done' })
  expect(simulator.ledger.totals().requests).toBe(2)
  expect(simulator.ledger.totals().failed).toBe(0)
  expect(session.view().tokens.total).toBeGreaterThan(500)
  expect(session.cost().dollars).toBeCloseTo(simulator.ledger.totals().dollars, 9)
})
