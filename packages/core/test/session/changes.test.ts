import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { anthropicModel } from '../../src/anthropic/index.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { Change } from '../../src/types/log.js'
import { definePlugin } from '../../src/types/plugin.js'
import { eventsOf, setUp } from './setup.js'

const call = (path: string) => ({ type: 'tool_use' as const, name: 'read_file', input: { path } })

/** A command that proposes what it is given as JSON. */
const proposing = definePlugin({
  name: 'proposing',
  setup: () => ({
    commands: [
      {
        name: 'propose',
        help: 'Proposes changes.',
        run: async (changes, { propose }) =>
          JSON.stringify(await propose({ reason: 'asked', changes: JSON.parse(changes) as Change[] })),
      },
    ],
  }),
})

async function talked(...prompts: string[]) {
  const setup = await setUp(scripted(() => 'ok'))
  const store = memoryStore()
  const session = await setup.start({ store, plugins: [proposing] })
  for (const prompt of prompts) await eventsOf(session.query(prompt))
  const entry = (round: number) => session.view().rounds[round]?.entries[0]?.id as string
  return { ...setup, store, session, entry }
}

describe('rewind', () => {
  it('takes back what was said and what was edited since', async () => {
    const { session, entry, bodies } = await talked('one', 'two', 'three')
    const shown = JSON.stringify(session.view().rounds)
    const clear = { kind: 'replace', target: { entry: entry(0), block: 0 }, content: [{ type: 'text', text: 'uno' }] }
    await session.command('propose', JSON.stringify([clear]))
    await session.rewind(entry(1))
    await eventsOf(session.query('else'))
    expect(bodies.at(-1)).toContain('one')
    expect(bodies.at(-1)).not.toMatch(/two|three|uno/)
    expect(session.view().rounds).toHaveLength(2)
    expect(shown).toContain('three')
  })

  it('takes state back too', async () => {
    const { start } = await setUp(scripted(() => 'ok'))
    const counting = definePlugin({
      name: 'counting',
      setup: ({ store }) => ({
        hooks: {
          async PostModelCall({ response, view }) {
            const value = Number(view.state('counting', 'answers') ?? 0) + 1
            await store.append([{ ...response, kind: 'state', owner: 'counting', key: 'answers', value }])
          },
        },
      }),
    })
    const session = await start({ plugins: [counting] })
    for (const prompt of ['one', 'two', 'three']) await eventsOf(session.query(prompt))
    expect(session.view().state('counting', 'answers')).toBe(3)
    await session.rewind(session.view().rounds[1]?.entries[0]?.id as string)
    expect(session.view().state('counting', 'answers')).toBe(1)
  })

  it('leaves nothing to go on with when everything is taken back', async () => {
    const { session, entry } = await talked('one')
    await session.rewind(entry(0))
    expect(session.view().rounds).toEqual([])
    const [end] = await eventsOf(session.query())
    expect(end).toMatchObject({ type: 'end', reason: 'error', error: { code: 'INVALID_REQUEST' } })
  })

  it('refuses what is no message', async () => {
    const { session } = await talked('one')
    await expect(session.rewind('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('undo', () => {
  it('takes the last replacement back, and says when there is nothing', async () => {
    const { session, entry, bodies } = await talked('one', 'two')
    await expect(session.undo()).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'There is nothing to undo.' })
    const change = { kind: 'replace', target: { entry: entry(0), block: 0 }, content: [{ type: 'text', text: 'uno' }] }
    await session.command('propose', JSON.stringify([change]))
    await session.undo()
    await eventsOf(session.query('three'))
    expect(bodies.at(-1)).toContain('"one"')
  })

  it('pins what it brought back against reliefs', async () => {
    const { session, entry } = await talked('one', 'two', 'three')
    const span = { from: entry(0), to: session.view().rounds[0]?.span.to }
    const drop = JSON.stringify([{ kind: 'drop', span, note: 'Something was said.' }])
    expect(JSON.parse(await session.command('propose', drop))).toMatchObject({ kind: 'edit' })
    await session.undo()
    expect(JSON.parse(await session.command('propose', drop))).toMatchObject({ refused: expect.any(String) })
  })
})

describe('a session', () => {
  it('is copied up to an entry, and the two go their own ways', async () => {
    const { session, entry, bodies } = await talked('one', 'two')
    const copy = await session.fork({ at: session.view().rounds[0]?.span.to as string })
    await eventsOf(copy.query('other'))
    expect(bodies.at(-1)).toMatch(/one.*other/)
    expect(bodies.at(-1)).not.toContain('two')
    await eventsOf(session.query('three'))
    expect(bodies.at(-1)).toMatch(/one.*two.*three/)
    expect(copy.id).not.toBe(session.id)
    expect(entry(0)).toBe(copy.view().rounds[0]?.entries[0]?.id)
    await copy.close()
  })

  it('is copied while another holds it, as the error that says so offers', async () => {
    const { session, start, store, bodies } = await talked('one')
    await expect(start({ store, open: { resume: session.id } })).rejects.toThrow(/fork it/)
    const copy = await start({ store, open: { fork: session.id } })
    await eventsOf(copy.query('two'))
    expect(bodies.at(-1)).toMatch(/one.*two/)
    await expect(start({ store, open: { fork: 'nobody' } })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  it('keeps what plugins make of a result as their edit, and the result itself in the log', async () => {
    const store = memoryStore()
    const shouting = definePlugin({
      name: 'shouting',
      setup: () => ({ hooks: { PostToolUse: () => ({ content: [{ type: 'text', text: 'LOUD' }] }) } }),
    })
    const { start, bodies } = await setUp(scripted([[call('a.ts')], 'done']))
    const session = await start({ store, plugins: [shouting] })
    await eventsOf(session.query('Read.'))
    expect(bodies.at(-1)).toContain('LOUD')
    expect(bodies.at(-1)).not.toContain('compute(')
    await session.undo()
    await eventsOf(session.query('Again.'))
    expect(bodies.at(-1)).toContain('compute(')
  })

  it('makes room with the old model before it goes on with a smaller one', async () => {
    const asked: string[] = []
    const { start, simulator } = await setUp(
      scripted(({ model }) => {
        asked.push(model)
        return 'ok'
      }),
    )
    const needs: number[] = []
    const watching = definePlugin({
      name: 'watching',
      setup: () => ({
        reliefs: [{ name: 'watching', rung: 'digest', offer: (_view, { excess }) => void needs.push(excess) }],
      }),
    })
    const session = await start({ plugins: [watching] })
    await eventsOf(session.query('A long story. '.repeat(60_000)))
    needs.length = 0
    const small = anthropicModel({ model: 'claude-haiku-4-5', apiKey: 'test', baseURL: simulator.url })
    await session.setModel(small)
    expect(needs.length).toBeGreaterThan(0)
    expect(session.thresholds().window.tokens).toBe(200_000)
  })
})
