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

it('throws what a script throws at it, and says what a script gave that is no answer', async () => {
  const turns = [new TypeError('Mine.'), { text: 'no' }, 7] as unknown as Parameters<typeof scriptedModel>[0]
  const session = await createSession({ model: scriptedModel(turns) })
  const errors = []
  for (const prompt of ['One.', 'Two.', 'Three.']) {
    const end = (await eventsOf(session.query(prompt))).at(-1)
    errors.push(end?.type === 'end' ? end.error?.message : end)
  }
  await session.close()
  expect(errors).toEqual([
    expect.stringContaining('Mine.'),
    expect.stringContaining('The script gave {"text":"no"} as answer 1: give a text'),
    expect.stringContaining('The script gave 7 as answer 2'),
  ])
})
