import { createSession } from '@nacre/core'
import { pluginContract, scriptedModel } from '@nacre/core/testing'
import { expect, test } from 'vitest'
import { hello } from './index.js'

await pluginContract('hello', { create: () => hello('Ada') })

test('the model reads the name, and the prompt stays as it was', async () => {
  const model = scriptedModel(['Hello, Ada.'])
  const session = await createSession({ model, plugins: [hello('Ada')] })
  for await (const _event of session.query('Hi'));
  await session.close()
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('The user is called Ada.')
  expect(session.view().rounds[0]?.entries[0]?.content).toEqual([{ type: 'text', text: 'Hi' }])
})

test('nothing is said when it is switched off', async () => {
  const model = scriptedModel(['Hello.'])
  const session = await createSession({ model, plugins: [hello('Ada')], flags: { hello: false } })
  for await (const _event of session.query('Hi'));
  await session.close()
  expect(JSON.stringify(model.requests)).not.toContain('Ada')
})
