import assert from 'node:assert/strict'
import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { scripted, startSimulator } from '@nacre/simulator'
import { foldOldest } from './fold-oldest.mjs'

// A server on loopback that counts and checks as the API does. Behind it: the same long answer to every prompt.
const simulator = await startSimulator({ model: scripted(() => 'The rain fell in torrents. '.repeat(100)) })
const session = await createSession({
  model: anthropicModel({ model: 'claude-opus-5-5', apiKey: 'any', baseURL: simulator.url }),
  plugins: [foldOldest],
  details: { limits: { contextBudget: 20_000 } },
})
console.log(`folds above ${session.thresholds().compact.tokens} tokens`)

/** @type {import('@nacre/core').Receipt[]} */
const receipts = []
session.events.on('receipt', ({ receipt }) => receipts.push(receipt))

for (let chapter = 1; receipts.length === 0 && chapter <= 50; chapter++) {
  const prompt = `Write chapter ${chapter}.`
  for await (const event of session.query(prompt)) if (event.type === 'end') assert.equal(event.reason, 'done')
}
const [receipt] = receipts
assert.ok(receipt, 'a small budget is used up soon')
const { before, after } = receipt.tokens
console.log(`${receipt.rung} by ${receipt.trigger}: ${before} -> ${after} tokens, undo ${receipt.undo}`)
assert.ok(after < before)

const folded = session.view().rounds
assert.match(JSON.stringify(folded[0]?.content), /folded without a summary/)

// It was folded for want of room, so what comes back is above the limit again.
await session.undo({ edit: receipt.undo, force: true })
const { rounds, tokens } = session.view()
console.log(`undone: ${folded.length} -> ${rounds.length} rounds, ${tokens.total} tokens`)
assert.ok(rounds.length > folded.length)
assert.match(JSON.stringify(rounds[0]?.entries), /Write chapter 1\./)

assert.equal(simulator.ledger.totals().failed, 0)
await session.close()
await simulator.close()
