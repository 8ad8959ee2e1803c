import { expect, it } from 'vitest'
import { createSession } from '../../src/session/create-session.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import { eventsOf, readFile } from '../session/setup.js'

it('lets a timer stop a query in which the model calls a tool for ever', async () => {
  let requests = 0
  const model = scriptedModel(() => {
    // A test that fails must end too.
    if (requests++ > 2_000) throw new Error('No timer was heard.')
    return [{ type: 'tool_use', name: 'read_file', input: { path: 'a.ts' } }]
  })
  const controller = new AbortController()
  const session = await createSession({ model, tools: [readFile] })
  setTimeout(() => controller.abort())
  const events = await eventsOf(session.query('Go.', { signal: controller.signal }))
  expect(events.at(-1)).toEqual({ type: 'end', reason: 'aborted' })
  await session.close()
})
