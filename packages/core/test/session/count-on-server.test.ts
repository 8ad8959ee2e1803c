import { expect, it } from 'vitest'
import { createSession } from '../../src/session/create-session.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import { estimateText } from '../../src/tokens/estimate.js'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf } from './setup.js'

it('lets the server count near the threshold, where an estimate could decide wrongly', async () => {
  const counted: number[] = []
  const asked: string[] = []
  const model = {
    ...scriptedModel([]),
    count: async () => {
      counted.push(1)
      return 1_000
    },
  }
  const watching = definePlugin({
    name: 'watching',
    setup: () => ({
      reliefs: [{ name: 'watching', rung: 'digest', offer: (_view, { pressure }) => void asked.push(pressure) }],
    }),
  })
  const details = { limits: { contextBudget: 20_000 } }
  const session = await createSession({ model, plugins: [watching], details })
  const { compact } = session.thresholds()
  await eventsOf(session.query('hi'))
  expect(counted).toEqual([])
  // Without calibration the estimate is a third too high, so this looks like more than the threshold.
  const words = (compact.tokens * 1.03) / (4 / 3) / (estimateText('word '.repeat(1000)) / 1000)
  await eventsOf(session.query('word '.repeat(Math.round(words))))
  expect(counted).toEqual([1])
  expect(asked).not.toContain('high')
  await session.close()
})
