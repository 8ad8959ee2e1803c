import { expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'

it('counts what ways that failed have cost', async () => {
  const setup = await setUp(({ source }) => (source === 'main' ? 'word '.repeat(3_000) : 'No summary.'))
  const session = await setup.start({ plugins: [compact()] })
  for (const prompt of ['One', 'Two', 'Three']) await eventsOf(session.query(prompt))
  const { receipt } = await session.compact()
  expect(receipt?.rung).toBe('digest')
  const { dollars, requests } = session.cost('compact')
  expect(requests).toBe(2)
  expect(receipt?.dollars.spent).toBeCloseTo(dollars, 10)
})
