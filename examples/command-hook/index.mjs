import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createSession } from '@nacre/core'
import { commandHooks } from '@nacre/core/node'
import { scriptedModel } from '@nacre/core/testing'

const settings = JSON.parse(await readFile(new URL('settings.json', import.meta.url), 'utf8'))
const model = scriptedModel(() => 'Noted.')
const session = await createSession({
  model,
  plugins: [commandHooks(settings.hooks)],
  // Commands run here.
  cwd: fileURLToPath(new URL('.', import.meta.url)),
})

assert.equal(await ask('My key is sk-12345678.'), 'blocked: The prompt has a key in it. Take it out.')
assert.equal(await ask('My name is Ada.'), 'done')
await session.close()

console.log(`the model was asked ${model.requests.length} time`)
assert.equal(model.requests.length, 1)
assert.ok(!JSON.stringify(model.requests).includes('sk-'), 'a blocked prompt is not in the log, so it is never sent')

/** @param {string} prompt */
async function ask(prompt) {
  for await (const event of session.query(prompt)) {
    if (event.type !== 'end') continue
    const end = event.error ? `${event.reason}: ${event.error.message}` : event.reason
    console.log(`${prompt} -> ${end}`)
    return end
  }
  throw new Error('a query ends with an end')
}
