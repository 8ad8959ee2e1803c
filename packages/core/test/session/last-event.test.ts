import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf, setUp } from './setup.js'

/** Proposes a change when the model has answered, which is installed once nothing runs any more. */
const late = definePlugin({
  name: 'late',
  setup: () => ({
    hooks: {
      PostModelCall({ response }, { propose }) {
        const span = { from: response.id, to: response.id }
        void propose({ reason: 'late', changes: [{ kind: 'drop', span }] })
      },
    },
  }),
})

it('tells the end of a query last, also when a proposal is settled after it', async () => {
  const { start } = await setUp(scripted(() => 'ok'))
  const session = await start({ plugins: [late] })
  const heard: string[] = []
  session.events.on('event', ({ type }) => heard.push(type))
  const events = await eventsOf(session.query('Hi'))
  expect(events.at(-1)?.type).toBe('end')
  expect(heard.at(-1)).toBe('relief')
})
