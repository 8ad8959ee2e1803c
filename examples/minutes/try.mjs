import assert from 'node:assert/strict'
import { createSession, memoryStore } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { scripted, startSimulator } from '@nacre/simulator'
import { minutes } from 'nacre-plugin-minutes'

// Stands for a model: a fork writes minutes, the conversation itself puts something on the agenda and then talks.
const simulator = await startSimulator({
  model: scripted(({ source, messages }) => {
    if (source === 'minutes') return 'Ada asked for chapters about rain, and got them.'
    const isFirst = messages.length === 1
    return isFirst ? [{ type: 'tool_use', name: 'agenda', input: { item: 'a happy end' } }] : 'It rained. '.repeat(400)
  }),
})
const model = anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL: simulator.url })
const store = memoryStore()
const options = { model, store, details: { limits: { contextBudget: 20_000 } } }

const first = await createSession({ ...options, plugins: [minutes({ every: 4 })] })
/** @type {import('@nacre/core').Receipt[]} */
const receipts = []
first.events.on('receipt', ({ receipt }) => receipts.push(receipt))
for (let chapter = 1; receipts.length === 0 && chapter <= 50; chapter++) {
  for await (const event of first.query(`Write chapter ${chapter}.`))
    if (event.type === 'end') assert.equal(event.reason, 'done')
}
await first.close()

const [receipt] = receipts
assert.ok(receipt)
console.log(`${receipt.rung}: ${receipt.tokens.before} -> ${receipt.tokens.after} tokens`)
console.log(`restored: ${receipt.restored.map(({ what, status }) => `${what} (${status})`).join(', ')}`)
console.log(`minutes: ${first.cost('minutes').requests} forks, $${first.cost('minutes').dollars.toFixed(4)}`)
assert.equal(receipt.rung, 'notes')
assert.deepEqual(
  receipt.restored.map(({ what }) => what),
  ['agenda'],
)

// The minutes, the agenda and the fold are in the log: another process has them too.
const second = await createSession({ ...options, plugins: [minutes()], open: { resume: first.id } })
for await (const event of second.query('Go on.')) if (event.type === 'end') assert.equal(event.reason, 'done')
const shown = await second.command('minutes')
console.log(shown)
assert.match(shown, /chapters about rain/)
assert.match(shown, /a happy end/)
assert.match(JSON.stringify(second.view().rounds[0]?.content), /chapters about rain/)
await second.close()
await simulator.close()
