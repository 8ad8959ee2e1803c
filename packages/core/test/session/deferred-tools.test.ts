import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { anthropicModel } from '../../src/anthropic/index.js'
import { foldDraft } from '../../src/fold/fold-draft.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { Block } from '../../src/types/log.js'
import { definePlugin, type Plugin } from '../../src/types/plugin.js'
import type { Tool } from '../../src/types/tool.js'
import { folding } from '../relief/folding.js'
import { eventsOf, readFile, setUp } from './setup.js'

const weather: Tool = {
  ...readFile,
  name: 'weather',
  description: 'Tells the weather. '.repeat(400),
  run: () => ({ content: [{ type: 'text', text: 'It rains.' }] }),
}
const deferred: Tool = { ...weather, isDeferred: true }

/** Refers to the tools it is told to. */
const find: Tool = {
  ...readFile,
  name: 'find',
  isCompactable: false,
  run: (input) => ({ content: namesIn(input).map((name) => ({ type: 'tool_reference', tool_name: name })) }),
}

function namesIn(input: unknown): readonly string[] {
  return (input as { readonly names: readonly string[] }).names
}

interface Sent {
  readonly tools: readonly { readonly name: string; readonly defer_loading?: true }[]
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[]
}

const call = (name: string, input: object = { path: 'a' }) => [{ type: 'tool_use' as const, name, input }]
const sent = (body: string | undefined) => JSON.parse(body ?? '') as Sent

/** Worth a fold. */
const STORY = 'And then they went on. '.repeat(500)

/** Finds the tools named behind 'find', then calls the first one if it is on offer. */
const seeking = scripted(({ messages, tools }) => {
  const last = messages.filter(({ role }) => role === 'user').at(-1)
  const said = ((last?.content ?? []) as readonly Block[]).map(({ text }) => String(text)).join()
  if (said.includes('story')) return STORY
  const names = said.match(/find (\S+)/)?.[1]?.split(',')
  if (names) return call('find', { names })
  const wasFound = JSON.stringify(last).includes('tool_reference') || said.includes('call weather')
  return wasFound && tools.some(({ name }) => name === 'weather') ? call('weather') : 'ok'
})

/** Brings what is in its list at the time. */
function growing(tools: () => readonly Tool[]): Plugin {
  return definePlugin({
    name: 'growing',
    setup: () => ({
      get tools() {
        return tools()
      },
    }),
  })
}

/** Folds the first round only. */
const foldingFirst = definePlugin({
  name: 'folding-first',
  setup: () => ({
    reliefs: [
      {
        name: 'folding-first',
        rung: 'summary',
        offer(view) {
          const span = view.rounds[0]?.span
          return span && { span, frees: 1_000, dollars: 0, draft: () => foldDraft(view, span, 'All went well so far.') }
        },
      },
    ],
  }),
})

describe('a deferred tool', () => {
  it('is sent with defer_loading, counts for nothing until it is found, and can be called then', async () => {
    const { start, bodies, simulator } = await setUp(seeking)
    const session = await start({ tools: [find, deferred] })
    const whole = await start({ tools: [find, weather] })
    expect(session.view().tokens.total).toBeLessThan(whole.view().tokens.total / 2)
    const events = await eventsOf(session.query('find weather'))
    expect(events.filter(({ type }) => type === 'tool-end')).toHaveLength(2)
    expect(JSON.stringify(events)).toContain('It rains.')
    expect(sent(bodies[0]).tools.map(({ defer_loading }) => defer_loading)).toEqual([undefined, true])
    for (const body of bodies) expect(sent(body).tools).toEqual(sent(bodies[0]).tools)
    expect(simulator.ledger.totals().failed).toBe(0)
    expect(session.breaks()).toEqual([])
  })

  it('is sent whole where there is no other tool', async () => {
    const { start, bodies, simulator } = await setUp(scripted(() => 'ok'))
    const session = await start({ tools: [deferred] })
    await eventsOf(session.query('Hello.'))
    expect(sent(bodies[0]).tools).toEqual([expect.not.objectContaining({ defer_loading: true })])
    expect(simulator.ledger.totals().failed).toBe(0)
  })

  it('that nobody has sent is not referred to, since the API would refuse all that follows', async () => {
    const { start, bodies, simulator } = await setUp(seeking)
    const session = await start({ tools: [find, deferred] })
    await eventsOf(session.query('find weather,nothing'))
    expect(bodies[1]).toContain('The tool nothing is new')
    expect(bodies[1]?.match(/"tool_reference"/g)).toHaveLength(1)
    expect(simulator.ledger.totals().failed).toBe(0)
  })

  it('stays in the request through a fold as long as something refers to it, though nobody brings it', async () => {
    const { start, bodies, simulator } = await setUp(seeking)
    const store = memoryStore()
    const first = await start({ store, tools: [find, deferred] })
    await eventsOf(first.query('Tell me a story.'))
    await eventsOf(first.query('find weather'))
    await first.close()
    const second = await start({ store, open: { resume: first.id }, tools: [find], plugins: [foldingFirst] })
    await second.compact()
    await eventsOf(second.query('call weather'))
    expect(bodies.at(-1)).toContain('All went well so far.')
    expect(sent(bodies.at(-1)).tools.map(({ name }) => name)).toEqual(['find', 'weather'])
    expect(bodies.at(-1)).toContain("There is no tool 'weather', or it is not available now.")
    expect(simulator.ledger.totals().failed).toBe(0)
  })
})

describe('a list of tools that grows', () => {
  it('brings a tool in without a change of what was sent before', async () => {
    const { start, bodies, simulator } = await setUp(seeking)
    let tools: readonly Tool[] = [find]
    const session = await start({ plugins: [growing(() => tools)] })
    await eventsOf(session.query('Hello.'))
    tools = [find, weather]
    const events = await eventsOf(session.query('call weather'))
    expect(JSON.stringify(events)).toContain('It rains.')
    expect(sent(bodies.at(-1)).tools).toEqual(sent(bodies[0]).tools)
    expect(bodies.at(-1)?.match(/tool_addition/g)).toHaveLength(1)
    expect(session.breaks()).toEqual([])
    expect(simulator.ledger.totals().failed).toBe(0)
  })

  it('keeps a deferred tool back until it is deferred no more', async () => {
    const { start, bodies } = await setUp(seeking)
    let tools: readonly Tool[] = [find]
    const session = await start({ plugins: [growing(() => tools)] })
    await eventsOf(session.query('Hello.'))
    tools = [find, deferred]
    await eventsOf(session.query('Hello.'))
    expect(bodies.at(-1)).not.toContain('tool_addition')
    tools = [find, weather]
    await eventsOf(session.query('Hello.'))
    expect(bodies.at(-1)).toContain('tool_addition')
  })

  it('says of a tool that is gone that it is not available', async () => {
    const { start, bodies } = await setUp(seeking)
    let tools: readonly Tool[] = [find, weather]
    const session = await start({ plugins: [growing(() => tools)] })
    await eventsOf(session.query('Hello.'))
    tools = [find]
    await eventsOf(session.query('call weather'))
    expect(sent(bodies.at(-1)).tools).toEqual(sent(bodies[0]).tools)
    expect(bodies.at(-1)).toContain("There is no tool 'weather', or it is not available now.")
  })

  it('does not take the name of a tool that was there before', async () => {
    const { start, bodies, simulator } = await setUp(scripted(() => call('read_file')))
    let tools: readonly Tool[] = []
    const session = await start({ plugins: [growing(() => tools)], details: { limits: { maxTurns: 2 } } })
    tools = [{ ...weather, name: 'read_file' }]
    await eventsOf(session.query('Hello.'))
    expect(bodies.at(-1)).toContain('const value0')
    expect(simulator.ledger.totals().failed).toBe(0)
  })

  it('waits for the next fold where the model takes no tools in between', async () => {
    const { start, bodies, simulator } = await setUp(seeking)
    const model = anthropicModel({ model: 'claude-haiku-4-5', apiKey: 'test', baseURL: simulator.url })
    let tools: readonly Tool[] = [find]
    const session = await start({ model, plugins: [growing(() => tools), folding] })
    await eventsOf(session.query('Tell me a story.'))
    tools = [find, weather]
    await eventsOf(session.query('And?'))
    expect(sent(bodies.at(-1)).tools.map(({ name }) => name)).toEqual(['read_file', 'find'])
    await session.compact()
    await eventsOf(session.query('And now?'))
    expect(sent(bodies.at(-1)).tools.map(({ name }) => name)).toEqual(['read_file', 'find', 'weather'])
  })
})
