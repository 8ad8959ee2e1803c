import { expect, it } from 'vitest'
import { createSession } from '../../src/session/create-session.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import type { Edit, Entry } from '../../src/types/log.js'
import { definePlugin, type Plugin } from '../../src/types/plugin.js'
import type { Tool, ToolResult } from '../../src/types/tool.js'
import { eventsOf } from './setup.js'

const WHOLE = 'the whole text that a tool gave'
const text = (words: string) => [{ type: 'text', text: words }]

const giving: Tool = {
  name: 'give',
  description: 'Gives a text.',
  schema: { json: { type: 'object' }, parse: (input) => input },
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: () => ({ content: text(WHOLE) }),
}

const throwing: Tool = {
  ...giving,
  run: () => {
    throw new Error(WHOLE)
  },
}

function changing(name: string, change: (result: ToolResult) => ToolResult): Plugin {
  const handler = ({ value }: { readonly value: ToolResult }) => change(value)
  return definePlugin({ name, setup: () => ({ hooks: { PostToolUse: handler, PostToolUseFailure: handler } }) })
}

const shouting = changing('shouting', ({ content }) => ({ content: text(`${content[0]?.text}!`) }))
const storing = changing('storing', (value) => ({ ...value, content: text('preview'), logged: text('pointer') }))
const adding = changing('adding', (value) => ({ ...value, content: [...value.content, ...text('added')] }))

async function play(plugins: readonly Plugin[], tool: Tool = giving) {
  const store = memoryStore()
  const model = scriptedModel([[{ type: 'tool_use', name: 'give', input: {} }], 'done', 'done'])
  const session = await createSession({ model, tools: [tool], plugins, store, open: { id: 'stored' } })
  await eventsOf(session.query('Go.'))
  const entries = async () => (await store.peek?.('stored')) as readonly Entry[]
  const edits = async () => (await entries()).filter((entry): entry is Edit => entry.kind === 'edit')
  return { session, model, entries, edits, last: () => JSON.stringify(model.requests.at(-1)?.messages) }
}

it('keeps a text that a plugin has put into a blob out of the log', async () => {
  const { entries, last } = await play([storing])
  expect(JSON.stringify(await entries())).not.toContain(WHOLE)
  expect(last()).toContain('preview')
  expect(last()).not.toContain('pointer')
})

it('keeps out of the log what other plugins made of the text before it was stored', async () => {
  const { entries, edits } = await play([shouting, storing])
  expect(JSON.stringify(await entries())).not.toContain(WHOLE)
  expect((await edits()).map(({ owner }) => owner)).toEqual(['storing'])
})

it('keeps each change that is made after the storing as an edit of its own', async () => {
  const { entries, edits, last } = await play([shouting, storing, adding])
  expect(JSON.stringify(await entries())).not.toContain(WHOLE)
  expect((await edits()).map(({ owner }) => owner)).toEqual(['storing', 'adding'])
  expect(last()).toMatch(/preview.*added/)
})

it('stores the text of a tool that failed, and the result is still an error', async () => {
  const { entries, last } = await play([storing], throwing)
  expect(JSON.stringify(await entries())).not.toContain(WHOLE)
  expect(last()).toMatch(/preview.*"is_error":true/)
})

it('shows what is in the log once the edit of the storing plugin is undone', async () => {
  const { session, edits, last } = await play([storing])
  const [edit] = await edits()
  await session.undo({ edit: edit?.id as string })
  await eventsOf(session.query('Again.'))
  expect(last()).toContain('pointer')
  expect(last()).not.toContain('preview')
})

it('logs what the tool gave where nothing was stored', async () => {
  const { entries, edits } = await play([shouting])
  expect(JSON.stringify(await entries())).toContain(`"${WHOLE}"`)
  expect((await edits()).map(({ owner }) => owner)).toEqual(['shouting'])
})
