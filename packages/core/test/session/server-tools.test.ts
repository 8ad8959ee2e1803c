import { type ModelTurn, type Reply, type SearchPage, scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { anthropicModel } from '../../src/anthropic/index.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import type { AssistantEntry, Block } from '../../src/types/log.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { Tool } from '../../src/types/tool.js'
import { folding } from '../relief/folding.js'
import { eventsOf, readFile, setUp } from './setup.js'

const PAGES: readonly SearchPage[] = [
  { url: 'https://docs.example.com/pearl', title: 'Pearl', text: 'Nacre is layered. '.repeat(60) },
]
const cited = [{ url: PAGES[0]?.url, title: 'Pearl', cited_text: 'Nacre is layered.' }]
const use = (query: string) => ({ type: 'server_tool_use', name: 'web_search', input: { query } })

/** Run by the server: nothing here may ever be called. */
const search: Tool = {
  ...readFile,
  name: 'web_search',
  server: { type: 'web_search_20250305', max_uses: 5 },
  run: () => {
    throw new Error('It ran here.')
  },
}

interface Sent {
  readonly tools?: readonly { readonly name: string }[]
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[]
}
const sent = (body: string | undefined) => JSON.parse(body ?? '') as Sent

/** Searches so often for each prompt, then answers with a source. */
const searching = (times: number) =>
  scripted(({ messages }: ModelTurn): Reply => {
    const last = messages.at(-1)
    const found = last?.role === 'assistant' ? last.content.filter(({ type }) => type === 'web_search_tool_result') : []
    if (found.length < times) return { content: [use(`nacre ${found.length}`)] }
    return { content: [{ type: 'text', text: 'It is layered.', citations: cited }] }
  })

const details = { search: () => PAGES }
const answerIn = (events: readonly { readonly type: string }[]) =>
  events.flatMap((event) => (event.type === 'response' ? [(event as unknown as { entry: AssistantEntry }).entry] : []))

describe('a tool that the server runs', () => {
  it('is sent as it is, and nothing is run or asked here', async () => {
    const { start, bodies } = await setUp(searching(1), { details })
    const session = await start({ tools: [readFile, search] })
    const events = await eventsOf(session.query('What is nacre?'))
    expect(sent(bodies[0]).tools?.[1]).toEqual({ type: 'web_search_20250305', name: 'web_search', max_uses: 5 })
    expect(events.map(({ type }) => type).filter((type) => type.startsWith('tool-'))).toEqual([])
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'done' })
  })

  it('has its blocks in the log as they came, in the next request to the byte, and after a resume', async () => {
    const { start, bodies, simulator } = await setUp(searching(2), { details })
    const answers: unknown[] = []
    simulator.observe(({ response }) => answers.push(response))
    const store = memoryStore()
    const session = await start({ tools: [search], store })
    const [entry] = answerIn(await eventsOf(session.query('What is nacre?')))
    const given = (answers[0] as { content: readonly Block[] }).content
    expect(JSON.stringify(given)).toContain('encrypted_content')
    expect(JSON.stringify(given)).toContain('encrypted_index')
    expect(entry?.content).toEqual(given)
    await eventsOf(session.query('And more?'))
    expect(sent(bodies[1]).messages[1]?.content).toMatchObject(given)
    await session.close()
    const resumed = await start({ tools: [search], store, open: { resume: session.id } })
    expect(answerIn(await eventsOf(resumed.query('Go on.')))).toHaveLength(1)
    expect(sent(bodies[2]).messages[1]?.content).toMatchObject(given)
    expect(sent(bodies[2]).tools).toEqual(sent(bodies[0]).tools)
  })

  it('costs what the server bills for it, and does not blow up the size of the view', async () => {
    const { start, simulator } = await setUp(searching(4), { details })
    const session = await start({ tools: [search], system: 'You work. '.repeat(2_000) })
    await eventsOf(session.query('What is nacre?'))
    expect(session.cost().dollars).toBeCloseTo(simulator.ledger.totals().dollars, 12)
    expect(session.cost().dollars).toBeGreaterThan(0.04)
    const { total } = session.view().tokens
    await eventsOf(session.query('And more?'))
    const { input, read, write5m } = simulator.ledger.totals()
    expect(total).toBeLessThan((input + read + write5m) / 3)
    expect(session.view().tokens.total).toBeLessThan((input + read + write5m) / 3)
    expect(session.breaks()).toEqual([])
  })

  it('goes on after a pause, as one message', async () => {
    const { start, bodies } = await setUp(searching(11), { details })
    const session = await start({ tools: [search] })
    const events = await eventsOf(session.query('Search a lot.'))
    expect(events.flatMap((event) => (event.type === 'recovery' ? [event.kind] : []))).toEqual(['resume-pause'])
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'done' })
    await eventsOf(session.query('And more?'))
    expect(sent(bodies[2]).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(sent(bodies[2]).messages[1]?.content).toHaveLength(23)
  })

  it('leaves no open search behind when a paused answer is stopped and a person goes on', async () => {
    let isPaused = true
    const model = scripted(({ messages }): Reply => {
      if (messages.at(-1)?.role === 'user' && isPaused)
        return { content: ['I look.', use('nacre')], stop: 'pause_turn' }
      return { content: ['Fine.'] }
    })
    const { start, bodies, exchanges } = await setUp(model, { details })
    const session = await start({ tools: [search] })
    const stop = new AbortController()
    session.events.on('response', () => {
      isPaused = false
      stop.abort()
    })
    expect((await eventsOf(session.query('Search.', { signal: stop.signal }))).at(-1)).toMatchObject({
      reason: 'aborted',
    })
    expect((await eventsOf(session.query('Never mind.'))).at(-1)).toEqual({ type: 'end', reason: 'done' })
    expect(exchanges.map(({ status }) => status)).toEqual([200, 200])
    expect(sent(bodies[1]).messages[1]?.content).toMatchObject([
      { type: 'text', text: 'I look.' },
      { type: 'text', text: '(stopped before the server had answered)' },
    ])
  })

  it('is folded with its round', async () => {
    const { start, exchanges, bodies } = await setUp(searching(1), { details })
    const session = await start({ tools: [search], plugins: [folding] })
    await eventsOf(session.query('What is nacre?'))
    await eventsOf(session.query('And more?'))
    expect(await session.compact()).toMatchObject({ receipt: {} })
    await eventsOf(session.query('Go on.'))
    expect(exchanges.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(bodies[1]).toContain('web_search_tool_result')
    expect(bodies[2]?.match(/web_search_tool_result/g)).toHaveLength(1)
  })

  it('is not sent to a model whose server runs none', async () => {
    const other = scriptedModel(['Fine.'])
    const { start } = await setUp(searching(1), { details })
    const session = await start({ tools: [readFile, search] })
    await session.setModel(other)
    await eventsOf(session.query('Hello.'))
    expect(other.requests[0]?.epoch.tools).toMatchObject([{ name: 'read_file' }])
  })

  it('is known to be there by what a model can', async () => {
    const seen: boolean[] = []
    const looks = definePlugin({
      name: 'looks',
      setup: ({ model }) => {
        seen.push(model.can.has('server-tools'))
        return {}
      },
    })
    const { start, simulator } = await setUp(searching(0))
    await start({ plugins: [looks] })
    const unknown = anthropicModel({ model: 'some-model', apiKey: 'test', baseURL: simulator.url })
    await start({ model: unknown, plugins: [looks] })
    expect(seen).toEqual([true, false])
  })
})
