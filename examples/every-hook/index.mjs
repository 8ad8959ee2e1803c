import assert from 'node:assert/strict'
import { createSession, definePlugin, foldDraft } from '@nacre/core'
import { scriptedModel } from '@nacre/core/testing'
import { houseRules } from './house-rules.mjs'
import { listener } from './listener.mjs'

/** @type {import('@nacre/core').HookName[]} */
const names = [
  'SessionStart',
  'PreparePrompt',
  'UserPromptSubmit',
  'PreCompact',
  'PostCompact',
  'CompactFailed',
  'PreModelCall',
  'PostModelCall',
  'PrepareToolUse',
  'PreToolUse',
  'PermissionRequest',
  'PostToolUse',
  'PostToolUseFailure',
  'ViewChanged',
  'Stop',
  'SessionEnd',
]

/** @type {import('@nacre/core').Tool<string>} */
const readFile = {
  name: 'read_file',
  description: 'Reads a file.',
  schema: { json: { type: 'object' }, parse: (input) => String(Object(input).path) },
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  run(path) {
    if (path.includes('missing')) throw new Error(`There is no ${path}.`)
    return { content: [{ type: 'text', text: `${path} has the key sk-12345. ${'And so on. '.repeat(100)}` }] }
  },
}

// Folds all but the last round, to as many words as it is told.
const folding = definePlugin({
  name: 'folding',
  setup: () => ({
    reliefs: [
      {
        name: 'folding',
        rung: 'summary',
        offer(view, { pressure, instructions = 'Three files were read.' }) {
          const [first, last] = [view.rounds.at(0), view.rounds.at(-2)]
          if (pressure === 'idle' || !first || !last) return undefined
          const span = { from: first.span.from, to: last.span.to }
          return { span, frees: 1, dollars: 0, draft: () => foldDraft(view, span, instructions) }
        },
      },
    ],
  }),
})

const calls = ['src\\main.ts', '.env', 'missing.ts'].map((path) => ({
  type: 'tool_use',
  name: 'read_file',
  input: { path },
}))
const model = scriptedModel([calls, 'TODO: sum up.', 'Two files can not be read, main.ts has a key.'])
/** @type {string[]} */
const heard = []
const session = await createSession({
  model,
  tools: [readFile],
  plugins: [houseRules, folding, listener(names, (name, detail) => heard.push(`${name} ${detail}`.trim()))],
})
for await (const event of session.query('Read the files. My key is sk-99999.')) {
  if (event.type === 'end') assert.equal(event.reason, 'done')
}
await session.compact({ instructions: 'Too many words. '.repeat(2000) })
await session.compact()
await session.close('the end')

for (const line of heard) console.log(line)
assert.deepEqual(heard, [
  'SessionStart startup',
  'PreparePrompt',
  'UserPromptSubmit',
  'ViewChanged',
  'PreModelCall',
  'PostModelCall',
  'PrepareToolUse src\\main.ts',
  'PreToolUse src/main.ts',
  'PostToolUse src/main.ts',
  'ViewChanged',
  'PrepareToolUse .env',
  'PreToolUse .env',
  'PermissionRequest It holds secrets.',
  'PrepareToolUse missing.ts',
  'PreToolUse missing.ts',
  'PostToolUseFailure missing.ts',
  'ViewChanged',
  'PreModelCall',
  'PostModelCall',
  'Stop 0',
  'PreModelCall',
  'PostModelCall',
  'Stop 1',
  'PreCompact manual',
  'CompactFailed manual',
  'PreCompact manual',
  'PostCompact manual',
  'SessionStart compact',
  'ViewChanged',
  'SessionEnd the end',
])
const sent = JSON.stringify(model.requests)
for (const words of [
  'The branch is main.',
  'src/main.ts',
  'It holds secrets.',
  'List the folder',
  'TODO left',
  '"ada"',
]) {
  assert.ok(sent.includes(words), words)
}
assert.ok(!sent.includes('sk-'), 'no key is sent')
