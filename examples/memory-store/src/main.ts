import assert from 'node:assert/strict'
import { createSession } from '@nacre/core'
import { scriptedModel } from '@nacre/core/testing'
import { mapStore } from './map-store.js'

const store = mapStore()
const model = scriptedModel(['Hello, Ada.', 'Your name is Ada.'])

const first = await createSession({ model, store })
for await (const _event of first.query('My name is Ada.'));
await assert.rejects(createSession({ model, store, open: { resume: first.id } }), { code: 'SESSION_BUSY' })
await first.close()
for await (const { id, title } of store.list()) console.log(`${id}: ${title}`)

const second = await createSession({ model, store, open: { resume: 'latest' } })
for await (const event of second.query('What is my name?')) {
  if (event.type === 'response') console.log(event.entry.content[0]?.text)
}
await second.close()

const [before, after] = model.requests.map(({ messages }) => messages)
assert.equal(second.id, first.id)
assert.deepEqual(wordsOf(after).slice(0, 2), [...wordsOf(before), 'Hello, Ada.'])
console.log(`the second request begins as the first one did, and has ${after?.length} messages`)

function wordsOf(messages: unknown): string[] {
  return [...JSON.stringify(messages).matchAll(/"text":"([^"]*)"/g)].map(([, text = '']) => text)
}
