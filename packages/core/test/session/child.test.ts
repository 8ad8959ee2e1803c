import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { ChildSession, OwnSession } from '../../src/types/child.js'
import type { Entry } from '../../src/types/log.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { Tool } from '../../src/types/tool.js'
import { eventsOf, marksOf, readFile, setUp } from './setup.js'

const LONG = 'A long story about a boat and its crew on a river. '.repeat(300)
const strip = (body: string) => body.replace(/,"cache_control":\{"type":"ephemeral"\}/g, '')

/** Hands the session out to the test, and has one tool that starts `count` forks at once. */
function spawning(count = 0) {
  let own: OwnSession | undefined
  const children: ChildSession[] = []
  let started = 0
  const spawn: Tool = {
    name: 'spawn',
    description: 'Starts one.',
    schema: { json: { type: 'object' }, parse: (input) => input },
    isReadOnly: () => false,
    isConcurrencySafe: () => true,
    async run() {
      const number = ++started
      const child = await (own as OwnSession).child({ source: `agent:${number}`, id: `${number}`, from: 'fork' })
      children.push(child)
      await eventsOf(child.query(`Directive ${number}.`))
      await child.close()
      return { content: [{ type: 'text', text: `child ${number} is done` }] }
    },
  }
  const plugin = definePlugin({
    name: 'spawning',
    scope: 'all',
    setup({ session }) {
      if (session.source === 'main') own = session
      return { tools: count > 0 ? [spawn] : [] }
    },
  })
  return { plugin, children, own: () => own as OwnSession }
}

async function entriesOf(child: ChildSession): Promise<readonly Entry[]> {
  const all: Entry[] = []
  for await (const entry of child.entries()) all.push(entry)
  return all
}

describe('a session below another', () => {
  it('has a log of its own that lists leave out, and its cost is the cost of its parent', async () => {
    const store = memoryStore()
    const { start } = await setUp(scripted(({ source }) => `I am ${source}.`))
    const { plugin, own } = spawning()
    const session = await start({ store, plugins: [plugin] })
    await eventsOf(session.query('Hello.'))
    const before = session.cost().dollars
    const child = await own().child({ source: 'agent:helper', id: 'one', from: 'new' })
    await eventsOf(child.query('Help.'))
    expect(session.cost('agent:helper').dollars).toBe(child.spent().dollars)
    expect(session.cost().dollars).toBeCloseTo(before + child.spent().dollars)
    expect(child.id).toBe(`${session.id}//one`)
    expect((await entriesOf(child)).filter(({ kind }) => kind === 'assistant')).toMatchObject([
      { content: [{ text: 'I am agent:helper.' }] },
    ])
    const listed = []
    for await (const { id } of store.list()) listed.push(id)
    expect(listed).toEqual([session.id])
    expect(session.view().rounds).toHaveLength(1)
    await child.close()
    await expect(own().child({ source: 'agent:helper', id: 'one', from: 'new' })).rejects.toThrow(/has a log already/)
    await expect(own().child({ source: 'agent:helper', id: 'two', from: 'kept' })).rejects.toThrow(/has no log/)
    const again = await own().child({ source: 'agent:helper', id: 'one', from: 'kept' })
    expect(again.view().rounds).toHaveLength(1)
  })

  it('borrows the tools of its parent, as far as they are offered, and meets its own state with them', async () => {
    const { start, exchanges } = await setUp(
      scripted(({ source, messages }) =>
        source === 'main' || messages.length > 2 ? 'ok' : [{ type: 'tool_use', name: 'count', input: {} }],
      ),
    )
    const counting = definePlugin({
      name: 'counting',
      setup: () => ({
        tools: [
          {
            name: 'count',
            description: 'Counts.',
            schema: { json: { type: 'object' }, parse: (input) => input },
            isReadOnly: () => false,
            isConcurrencySafe: () => false,
            async run(_input, { view, store }) {
              const value = Number(view?.state('counting', 'count') ?? 0) + 1
              await store?.append([{ kind: 'state', id: '', time: 0, owner: 'counting', key: 'count', value }])
              return { content: [{ type: 'text', text: `count ${value}` }] }
            },
          },
        ],
      }),
    })
    const { plugin, own } = spawning()
    const session = await start({ plugins: [counting, plugin] })
    const child = await own().child({
      source: 'agent:a',
      id: 'a',
      from: 'new',
      calls: { offers: ({ name }) => name === 'count' },
    })
    await eventsOf(child.query('Count.'))
    expect(child.view().state('counting', 'count')).toBe(1)
    expect(session.view().state('counting', 'count')).toBeUndefined()
    const { tools } = JSON.parse(exchanges[0]?.body as string) as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(['count'])
    const other = await own().child({
      source: 'agent:b',
      id: 'b',
      from: 'new',
      calls: { forbids: () => 'This agent only looks.' },
    })
    await eventsOf(other.query('Count.'))
    expect(other.view().state('counting', 'count')).toBeUndefined()
    expect(exchanges.at(-1)?.body).toContain('This agent only looks.')
  })

  it('stops where the budget of its parent ends', async () => {
    const { start } = await setUp(scripted(() => [{ type: 'tool_use', name: 'read_file', input: { path: 'a' } }]))
    const { plugin, own } = spawning()
    const session = await start({ plugins: [plugin], details: { limits: { maxBudgetUsd: 0.01 } } })
    const child = await own().child({ source: 'agent:a', id: 'a', from: 'new' })
    const end = (await eventsOf(child.query(LONG))).at(-1)
    expect(end).toMatchObject({ type: 'end', reason: 'budget' })
    expect(session.cost().dollars).toBeGreaterThanOrEqual(0.01)
    expect((await eventsOf(session.query('And you?'))).at(-1)).toMatchObject({ reason: 'budget' })
  })

  it('ends with its parent, has none below it, and asks a person under its own name', async () => {
    const asked: string[] = []
    const { start } = await setUp(
      scripted(({ messages }) =>
        messages.length > 2 ? 'ok' : [{ type: 'tool_use', name: 'read_file', input: { path: 'a' } }],
      ),
    )
    let inner: OwnSession | undefined
    const asking = definePlugin({
      name: 'asking',
      scope: 'all',
      setup({ session: own }) {
        if (own.source !== 'main') inner = own
        return { hooks: { PreToolUse: () => ({ verdict: 'ask', reason: 'It may bite.' }) } }
      },
    })
    const { plugin, own } = spawning()
    const session = await start({
      plugins: [asking, plugin],
      details: {
        async ask(_call, _reason, _signal, source) {
          asked.push(source)
          return 'allow'
        },
      },
    })
    const child = await own().child({ source: 'agent:a', id: 'a', from: 'new' })
    await eventsOf(child.query('Go.'))
    expect(asked).toEqual(['agent:a'])
    await expect(inner?.child({ source: 'agent:x', id: 'x', from: 'new' })).rejects.toThrow(/sub-agents of its own/)
    await session.close()
    expect((await eventsOf(child.query('More.'))).at(-1)).toMatchObject({ reason: 'aborted' })
  })
})

describe('forks that begin at once', () => {
  it('write one prefix to the cache, read it seven times, and differ in the last text alone', async () => {
    const { start, simulator, exchanges } = await setUp(
      scripted(({ source, messages }) => {
        if (source !== 'main') return `I was told something, said ${source}.`
        const isStart = JSON.stringify(messages.at(-1)).includes('Fan out')
        return isStart
          ? Array.from({ length: 8 }, () => ({ type: 'tool_use' as const, name: 'spawn', input: {} }))
          : 'ok'
      }),
    )
    const { plugin, children } = spawning(8)
    const session = await start({ plugins: [plugin], tools: [readFile] })
    await eventsOf(session.query(LONG))
    const prefix = simulator.ledger.totals('main')
    await eventsOf(session.query(`Fan out. ${'Mind the tests. '.repeat(200)}`))
    expect(children).toHaveLength(8)
    const bodies = exchanges.map(({ body }) => body).filter((body) => body.includes('Directive '))
    expect(bodies).toHaveLength(8)
    expect(
      new Set(
        bodies.map((body) =>
          strip(body)
            .replace(/Directive \d\./, 'D')
            .replace(/agent:\d/g, 'S'),
        ),
      ).size,
    ).toBe(1)
    const parts = bodies.map((body) => JSON.parse(body) as { messages: { content: { text?: string }[] }[] })
    for (const { messages } of parts) expect(messages.at(-1)?.content.at(-1)?.text).toMatch(/^Directive \d\.$/)
    const totals = children.map(({ source }) => simulator.ledger.totals(source))
    const writes = totals.map(({ write5m }) => write5m).filter((tokens) => tokens > 0)
    expect(writes).toHaveLength(1)
    const reads = totals.map(({ read }) => read).sort((one, other) => one - other)
    // The first reads what its parent had cached; the others that, and what the first has written behind it.
    expect(reads[0]).toBeGreaterThan(prefix.write5m)
    expect(new Set(reads.slice(1))).toEqual(new Set([(reads[0] as number) + (writes[0] as number)]))
    expect(session.breaks()).toEqual([])
    for (const { source } of children) expect(session.cost(source).requests).toBe(1)
  })
})

describe('a fork with a log of its own', () => {
  it.each(['5m', '1h'] as const)('marks what it extends for %s, as its parent did', async (ttl) => {
    const { plugin } = spawning(1)
    const { start, exchanges } = await setUp(
      scripted(({ source, messages }) =>
        source !== 'main' || messages.length > 1 ? 'Done.' : [{ type: 'tool_use', name: 'spawn', input: {} }],
      ),
    )
    const session = await start({ plugins: [plugin], details: { ttl } })
    await eventsOf(session.query(LONG))
    const [main, fork] = exchanges.map(({ body }) => marksOf(body))
    const system = (marks: readonly string[] = []) => marks.filter((mark) => mark.startsWith('/system'))
    expect(system(main).length).toBeGreaterThan(0)
    expect(system(fork)).toEqual(system(main))
    const lifetime = ttl === '1h' ? '{"type":"ephemeral","ttl":"1h"}' : '{"type":"ephemeral"}'
    for (const mark of [...(main ?? []), ...(fork ?? [])]) expect(mark.endsWith(lifetime)).toBe(true)
  })
})
