import assert from 'node:assert/strict'
import { createSession, definePlugin } from '@nacre/core'
import { scriptedModel } from '@nacre/core/testing'

const noForce = definePlugin({
  name: 'no-force',
  setup: () => ({
    hooks: {
      PreToolUse({ call }) {
        if (call.name !== 'shell' || !commandOf(call.input).includes('--force')) return undefined
        return { verdict: 'deny', reason: 'A push with --force loses the work of others. Pull first, then push.' }
      },
    },
  }),
})

/** @type {string[]} */
const ran = []

/** @type {import('@nacre/core').Tool<string>} */
const shell = {
  name: 'shell',
  description: 'Runs a command.',
  schema: {
    json: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    parse: commandOf,
  },
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  run(command) {
    ran.push(command)
    return { content: [{ type: 'text', text: `${command}: done` }] }
  },
}

// Stands for a model that wants to push by force, reads why it may not, and goes another way.
const model = scriptedModel(({ messages }) => {
  const last = JSON.stringify(messages.at(-1))
  if (last.includes('Pull first')) return [run('git pull --rebase'), run('git push')]
  return last.includes('git push: done') ? 'Pushed, after a pull.' : [run('git push --force')]
})

const session = await createSession({ model, tools: [shell], plugins: [noForce] })
for await (const event of session.query('Push my branch.')) {
  if (event.type === 'response') for (const block of event.entry.content) console.log(wordsOf(block))
  if (event.type === 'end') assert.equal(event.reason, 'done')
}
await session.close()

console.log('ran:', ran.join(', '))
assert.deepEqual(ran, ['git pull --rebase', 'git push'])

/** @param {string} command */
function run(command) {
  return { type: 'tool_use', name: 'shell', input: { command } }
}

/**
 * @param {unknown} input
 * @returns {string}
 */
function commandOf(input) {
  const command = Object(input).command
  if (typeof command !== 'string') throw new Error('command has to be a text')
  return command
}

/** @param {import('@nacre/core').Block} block */
function wordsOf(block) {
  return block.type === 'tool_use' ? `asks for: ${commandOf(block.input)}` : `says: ${block.text}`
}
