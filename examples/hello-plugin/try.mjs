import assert from 'node:assert/strict'
import { createSession } from '@nacre/core'
import { scriptedModel } from '@nacre/core/testing'
import { hello } from 'nacre-plugin-hello'

// Stands for a model: it greets whom it has read of.
const model = scriptedModel(({ messages }) => {
  const [, name = 'stranger'] = /The user is called (\w+)\./.exec(JSON.stringify(messages)) ?? []
  return `Hello, ${name}!`
})
const session = await createSession({ model, plugins: [hello('Ada')] })
let said = ''
for await (const event of session.query('Hi')) {
  if (event.type === 'response') said = String(event.entry.content[0]?.text)
}
await session.close()
console.log(said)
assert.equal(said, 'Hello, Ada!')
