import { type CompactPlan, definePlugin, foldDraft } from '@nacre/core'
import { expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { OTHERS_OFF } from './folding.js'

it('counts what ways that failed have cost', async () => {
  const setup = await setUp(({ source }) => (source === 'main' ? 'word '.repeat(3_000) : 'No summary.'))
  const session = await setup.start({ plugins: [compact()] })
  for (const prompt of ['One', 'Two', 'Three']) await eventsOf(session.query(prompt))
  const receipt = (await session.compact()).edit?.receipt
  expect(receipt?.rung).toBe('digest')
  const { dollars, requests } = session.cost('compact')
  expect(requests).toBe(2)
  expect(receipt?.dollars.spent).toBeCloseTo(dollars, 10)
})

it('counts nothing twice where one climb folds twice', async () => {
  let time = 0
  const asking = definePlugin({
    name: 'asking',
    setup: () => ({
      reliefs: (['notes', 'summary'] as const).map((rung, at) => ({
        name: `asking-${rung}`,
        rung,
        offer(view, { pressure }) {
          const span = view.rounds[at]?.span
          if (pressure !== 'idle' || time === 0 || !span) return undefined
          const draft = async ({ ask, signal }: CompactPlan) => {
            const { text, usage: spent } = await ask({ source: 'compact', signal })
            return foldDraft(view, span, text, { spent })
          }
          return { span, frees: 400, dollars: 0, draft }
        },
      })),
    }),
  })
  const setup = await setUp(({ source }) => (source === 'main' ? 'word '.repeat(500) : 'A record.'))
  const session = await setup.start({
    plugins: [compact(), asking],
    flags: OTHERS_OFF,
    details: { effects: { now: () => time } },
  })
  const spent: number[] = []
  session.events.on('event', (event) => {
    if (event.type === 'edit' && event.edit.receipt) spent.push(event.edit.receipt.dollars.spent)
  })
  for (let turn = 0; turn < 4; turn++) await eventsOf(session.query(`Turn ${turn}`))
  // On a cold cache every fold pays.
  time += 6 * 60_000
  await eventsOf(session.query('Go on.'))
  expect(spent).toHaveLength(2)
  expect(spent[0]).toBeGreaterThan(0)
  expect((spent[0] ?? 0) + (spent[1] ?? 0)).toBeCloseTo(session.cost('compact').dollars, 10)
})
