import { createSession, definePlugin, type PersonVerdict } from '@nacre/core'
import { scriptedModel } from '@nacre/core/testing'
import { expect, it } from 'vitest'

const careful = definePlugin({
  name: 'careful',
  setup: () => ({ hooks: { PreToolUse: () => ({ verdict: 'ask', reason: 'it writes' }) } }),
})
const tool = {
  name: 'write',
  description: 'Writes.',
  schema: { json: { type: 'object' }, parse: (input: unknown) => input },
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  run: () => ({ content: [{ type: 'text', text: 'written' }] }),
}

it.each<[PersonVerdict, string]>([
  ['allow', 'written'],
  ['deny', 'Permission was not given: it writes'],
  [{ deny: 'Not this file.' }, 'The person said no to this call: Not this file.'],
])('tells the model what a person says to a call: %j', async (verdict, told) => {
  const session = await createSession({
    model: scriptedModel([[{ type: 'tool_use', name: 'write', input: {} }], 'Done.']),
    plugins: [careful],
    tools: [tool],
    details: { ask: async () => verdict },
  })
  for await (const _ of session.query('Write.'));
  const [result] = session.view().rounds[0]?.entries.at(-1)?.content ?? []
  await session.close()
  expect(result?.content).toEqual([{ type: 'text', text: told }])
})
