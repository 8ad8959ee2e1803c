import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { importClaudeCode } from '../../src/import/index.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { Block } from '../../src/types/log.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { Tool } from '../../src/types/tool.js'
import { eventsOf, readFile, setUp } from '../session/setup.js'

const call = (path: string) => ({ type: 'tool_use' as const, name: 'read_file', input: { path } })
const reminding = definePlugin({
  name: 'reminding',
  setup: () => ({
    hooks: { UserPromptSubmit: (_event, { note }) => note({ text: 'Mind the tests. '.repeat(20), trust: 'content' }) },
  }),
})

it('sorts the context by what fills it, sums to what the API counted, and finds files that were read twice', async () => {
  const { start } = await setUp(scripted([[call('a.ts')], [call('b.ts'), call('a.ts')], 'Read.']))
  const session = await start({ plugins: [reminding], system: 'You read files. '.repeat(50) })
  await eventsOf(session.query('Read a, b and a again.'))
  const { total, classes, duplicates } = await session.accounting()
  expect(total).toBe(session.view().tokens.total)
  expect(classes.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total)
  const names = classes.map(({ name }) => name)
  expect(names[0]).toBe('result read_file')
  for (const name of ['system', 'tools', 'human', 'assistant', 'call read_file', 'note of reminding'])
    expect(names).toContain(name)
  expect(duplicates).toMatchObject([{ path: 'a.ts', reads: 2 }])
  expect(duplicates[0]?.wasted).toBeGreaterThan(300)
})

const WORDS = 'One word after the other. '.repeat(60)

function toolNamed(name: string, more: Partial<Tool> = {}): Tool {
  const { reads: _, ...plain } = readFile
  return { ...plain, name, run: () => ({ content: [{ type: 'text', text: WORDS }] }), ...more }
}

/** A session in which these calls are made one after the other, with what it says of its context. */
async function accountingOf(
  calls: readonly { readonly name: string; readonly input: object }[],
  tools: readonly Tool[],
) {
  const turns = calls.map((each) => [{ type: 'tool_use' as const, ...each }])
  const { start } = await setUp(scripted([...turns, 'Done.']))
  const session = await start({ tools: [readFile, ...tools] })
  await eventsOf(session.query('Work.'))
  return session.accounting()
}

it('counts reads as reads, and neither edits, nor searches, nor what failed, nor what a server gave', async () => {
  const tools = ['edit', 'search', 'mcp__disk__read'].map((name) => toolNamed(name))
  const failing = toolNamed('failing', {
    reads: (input) => (input as { path: string }).path,
    run: () => {
      throw new Error('There is no such file.')
    },
  })
  const names = ['edit', 'edit', 'search', 'search', 'mcp__disk__read', 'mcp__disk__read', 'failing', 'failing']
  const calls = names.map((name) => ({ name, input: { path: 'a.ts' } }))
  const once = await accountingOf([call('a.ts'), ...calls], [...tools, failing])
  expect(once.duplicates).toEqual([])
  const twice = await accountingOf([call('a.ts'), ...calls, call('a.ts'), call('b.ts')], [...tools, failing])
  expect(twice.duplicates).toMatchObject([{ path: 'a.ts', reads: 2 }])
})

it('trusts no tool with what it says of an input that it can not read', async () => {
  const broken = toolNamed('broken', {
    reads: () => {
      throw new Error('What is that?')
    },
  })
  const asked = { name: 'broken', input: { path: 'a.ts' } }
  expect((await accountingOf([asked, asked], [broken])).duplicates).toEqual([])
})

it('has a class for what commands printed, by the tool that ran them', async () => {
  const { classes, total } = await accountingOf([{ name: 'run', input: {} }], [toolNamed('run', { isCommand: true })])
  const names = classes.map(({ name }) => name)
  expect(names).toContain('local command output of run')
  expect(names).toContain('call run')
  expect(names).not.toContain('result run')
  expect(classes.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total)
})

const IMAGE: Block = {
  type: 'image',
  source: {
    type: 'base64',
    media_type: 'image/png',
    data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  },
}

it('has classes for images and documents, wherever they stand', async () => {
  const look = toolNamed('look', { run: () => ({ content: [{ type: 'text', text: WORDS }, IMAGE, IMAGE] }) })
  const { start } = await setUp(scripted([[{ type: 'tool_use', name: 'look', input: {} }], 'Seen.']))
  const session = await start({ tools: [look] })
  await eventsOf(session.query([{ type: 'text', text: WORDS }, IMAGE]))
  const { classes, total } = await session.accounting()
  const tokens = new Map(classes.map((each) => [each.name, each.tokens]))
  for (const name of ['human', 'media', 'result look', 'media of look']) expect(tokens.get(name)).toBeGreaterThan(0)
  expect((tokens.get('media of look') as number) / (tokens.get('media') as number)).toBeCloseTo(2, 1)
  expect(tokens.get('human')).toBeLessThan(tokens.get('media') as number)
  expect(classes.reduce((sum, each) => sum + each.tokens, 0)).toBe(total)
})

it('tells what commands of the person printed from what the person said, in a session of another program', async () => {
  const printed = `<local-command-stdout>${WORDS}</local-command-stdout>`
  const shell = `<bash-stdout>${WORDS}</bash-stdout><bash-stderr></bash-stderr>`
  const said = ['Hello.', printed, shell, `What does <bash-stdout> mean? ${WORDS}`]
  const lines = said.map((content, index) =>
    JSON.stringify({
      type: 'user',
      uuid: `u${index}`,
      parentUuid: index === 0 ? null : `u${index - 1}`,
      timestamp: '2026-01-01T00:00:00Z',
      message: { role: 'user', content },
    }),
  )
  const store = memoryStore()
  const log = await store.open('imported', new AbortController().signal)
  await log.append((await importClaudeCode(lines)).entries)
  await log.close()
  const { start } = await setUp(scripted(['Yes.']))
  const session = await start({ store, open: { resume: 'imported' } })
  await eventsOf(session.query())
  const tokens = new Map((await session.accounting()).classes.map((each) => [each.name, each.tokens]))
  const [human = 0, output = 0] = ['human', 'local command output'].map((name) => tokens.get(name))
  expect(human).toBeGreaterThan(0)
  expect(output / human).toBeGreaterThan(1.7)
})
