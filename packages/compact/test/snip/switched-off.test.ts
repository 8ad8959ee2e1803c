import { expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'
import { long, run, runTool, snipCall, stepping } from './working.js'

it('does not come about once the plugin is switched off, also where the model was told that it would', async () => {
  const flags = new Map<string, boolean>()
  const off = {
    ...runTool(['']),
    name: 'Off',
    run: () => {
      flags.set('compact', false)
      return { content: [{ type: 'text', text: 'Switched off.' }] }
    },
  }
  const snip = snipCall({ from: 'toolu_1', reason: 'of no use' })
  const both = [snip, { type: 'tool_use' as const, id: 'toolu_2', name: 'Off', input: {} }]
  const setup = await setUp(stepping([[run('ls', 'toolu_1')], 'Seen.', both, 'Done.']))
  const live = { read: (name: string) => flags.get(name) }
  const tools = [runTool([long('output')]), off]
  const session = await setup.start({ plugins: [compact()], tools, details: { flagSources: { live } } })
  for (const prompt of ['Look.', 'Go on.']) await eventsOf(session.query(prompt))
  expect(setup.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(session.view().rounds.some(({ content }) => content)).toBe(false)
})
