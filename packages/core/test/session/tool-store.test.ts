import { expect, it } from 'vitest'
import { createSession } from '../../src/session/create-session.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import type { Tool } from '../../src/types/tool.js'
import { eventsOf } from './setup.js'

/** A tool that appends what it is given. */
const appending: Tool = {
  name: 'append',
  description: 'Appends an entry.',
  schema: { json: { type: 'object' }, parse: (input) => input },
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  async run(input, { store }) {
    await store?.append([input as never])
    return { content: [{ type: 'text', text: 'appended' }] }
  },
}

const call = (input: object) => [{ type: 'tool_use', name: 'append', input }]
const state = { kind: 'state', owner: 'tool', key: 'count', value: 1 }

it('lets a tool write state that the view knows at once, and no messages', async () => {
  const model = scriptedModel([call(state), call({ kind: 'user', content: [] }), 'done'])
  const session = await createSession({ model, tools: [appending] })
  const events = await eventsOf(session.query('Go.'))
  const results = events.flatMap((event) => (event.type === 'tool-end' ? [JSON.stringify(event.result.content)] : []))
  expect(session.view().state('session', 'count')).toBe(1)
  expect(results).toEqual([
    expect.stringContaining('appended'),
    expect.stringContaining("can not write 'user' entries"),
  ])
  await session.close()
})
