import { scripted } from '@nacre/simulator'
import { expect, it, onTestFinished } from 'vitest'
import { anthropicModel } from '../../src/anthropic/index.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { Tool } from '../../src/types/tool.js'
import { eventsOf, readFile, setUp } from './setup.js'

const listFolder: Tool = {
  ...readFile,
  name: 'list_folder',
  description: 'Lists a folder.',
  run: () => ({ content: [{ type: 'text', text: 'a.ts' }] }),
}
const call = (name: string) => ({ type: 'tool_use' as const, name, input: { path: 'a.ts' } })
const toolsOf = (body: string | undefined) => (JSON.parse(body ?? '') as { tools: { name: string }[] }).tools

it('lets a tool come in after a resume without a change of what was sent before', async () => {
  const { start, bodies, simulator } = await setUp(
    scripted((turn) => {
      const said = JSON.stringify(turn.messages.at(-1))
      return said.includes('List') && turn.tools.some(({ name }) => name === 'list_folder')
        ? [call('list_folder')]
        : 'ok'
    }),
  )
  const store = memoryStore()
  const first = await start({ store })
  await eventsOf(first.query('Hello.'))
  await first.close()
  const second = await start({ store, open: { resume: first.id }, tools: [readFile, listFolder] })
  const events = await eventsOf(second.query('List the folder.'))
  expect(events.some((event) => event.type === 'tool-end')).toBe(true)
  expect(toolsOf(bodies.at(-1)).map(({ name }) => name)).toEqual(['read_file'])
  expect(bodies.at(-1)?.match(/tool_addition/g)).toHaveLength(1)
  await eventsOf(second.query('And again.'))
  expect(bodies.at(-1)?.match(/tool_addition/g)).toHaveLength(1)
  expect(simulator.ledger.totals().failed).toBe(0)

  await second.clear()
  await eventsOf(second.query('Anew.'))
  expect(toolsOf(bodies.at(-1)).map(({ name }) => name)).toEqual(['read_file', 'list_folder'])
  expect(bodies.at(-1)).not.toContain('tool_addition')
})

it('waits for the next fold where the model takes no tools in between', async () => {
  const { start, bodies, simulator } = await setUp(scripted(() => 'ok'))
  const model = anthropicModel({ model: 'claude-haiku-4-5', apiKey: 'test', baseURL: simulator.url })
  const store = memoryStore()
  const first = await start({ store, model })
  await eventsOf(first.query('Hello.'))
  await first.close()
  const second = await start({ store, model, open: { resume: first.id }, tools: [readFile, listFolder] })
  await eventsOf(second.query('And?'))
  expect(toolsOf(bodies.at(-1)).map(({ name }) => name)).toEqual(['read_file'])
  expect(bodies.at(-1)).not.toContain('tool_addition')
  expect(simulator.ledger.totals().failed).toBe(0)
})

it('keeps the bytes of a tool whose plugin was switched off, and says that it is not available', async () => {
  let isOn = true
  const listing = definePlugin({ name: 'listing', setup: () => ({ tools: [listFolder] }) })
  const { start, bodies } = await setUp(
    scripted((turn) => (JSON.stringify(turn.messages.at(-1)).includes('List') ? [call('list_folder')] : 'ok')),
  )
  const live = { read: (name: string) => (name === 'listing' ? isOn : undefined) }
  const session = await start({ plugins: [listing], details: { flagSources: { live } } })
  await eventsOf(session.query('Hello.'))
  isOn = false
  await eventsOf(session.query('List.'))
  expect(toolsOf(bodies.at(-1)).map(({ name }) => name)).toEqual(['read_file', 'list_folder'])
  expect(bodies.at(-1)).toContain('not available now')
})

it('runs many calls side by side without a warning', async () => {
  const warnings: Error[] = []
  const hear = (warning: Error) => warnings.push(warning)
  process.on('warning', hear)
  onTestFinished(() => {
    process.off('warning', hear)
  })
  const listening: Tool = {
    ...readFile,
    run: (_input, { signal }) => {
      signal.addEventListener('abort', () => undefined)
      return { content: [{ type: 'text', text: 'done' }] }
    },
  }
  const { start } = await setUp(
    scripted(({ messages }) => (messages.length === 1 ? Array.from({ length: 40 }, () => call('read_file')) : 'ok')),
  )
  const session = await start({ tools: [listening] })
  await eventsOf(session.query('Read all.'))
  // A warning is told in a later turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual([])
})

it('tells people of a notice, whoever gives it', async () => {
  const noted: string[] = []
  const noting = definePlugin({
    name: 'noting',
    setup: ({ store }) => ({
      hooks: {
        UserPromptSubmit: () =>
          store
            .append([{ kind: 'notice', id: '', time: 0, owner: 'noting', level: 'warning', text: 'It is late.' }])
            .then(() => undefined),
        Notification: ({ notice }) => {
          noted.push(notice.text)
        },
      },
    }),
  })
  const { start } = await setUp(scripted(() => 'ok'))
  const session = await start({ plugins: [noting] })
  const events = await eventsOf(session.query('Hello.'))
  expect(events.flatMap((event) => (event.type === 'notice' ? [event.notice.text] : []))).toEqual(['It is late.'])
  expect(noted).toEqual(['It is late.'])
})
