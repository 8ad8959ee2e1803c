import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/stores/memory-store.js'
import { folding } from '../relief/folding.js'
import { eventsOf, setUp } from './setup.js'

const call = (path: string) => ({ type: 'tool_use' as const, name: 'read_file', input: { path } })

/** Bodies without what the transport adds. */
const messagesOf = (body: string | undefined) => (JSON.parse(body ?? '{}') as { messages: unknown[] }).messages

describe('a session that is resumed', () => {
  it('sends what it would have sent without the pause, system and tools included', async () => {
    const turns = () => scripted([[call('a.ts')], 'first', [call('b.ts'), call('c.ts')], 'second'])
    const whole = await setUp(turns(), { details: { seed: 1 } })
    const going = await whole.start()
    await eventsOf(going.query('one'))
    await eventsOf(going.query('two'))

    const paused = await setUp(turns(), { details: { seed: 1 } })
    const store = memoryStore()
    const first = await paused.start({ store })
    await eventsOf(first.query('one'))
    await first.close()
    const second = await paused.start({ store, open: { resume: first.id }, system: 'Something else.', tools: [] })
    expect(second.view().tokens).toEqual({ ...second.view().tokens, total: first.view().tokens.total })
    await eventsOf(second.query('two'))
    expect(paused.bodies.map((body) => JSON.parse(body))[2]).toEqual(whole.bodies.map((body) => JSON.parse(body))[2])
    expect(second.cost().requests).toBe(paused.simulator.ledger.totals().requests)
    expect(second.cost().dollars).toBeCloseTo(paused.simulator.ledger.totals().dollars, 9)
  })

  it('can be the latest one, and says so when there is none', async () => {
    const { start } = await setUp(scripted(() => 'ok'))
    const store = memoryStore()
    await expect(start({ store, open: { resume: 'latest' } })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(start({ store, open: { resume: 'nobody' } })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    const session = await start({ store })
    await eventsOf(session.query('hi'))
    await expect(start({ store, open: { resume: 'latest' } })).rejects.toMatchObject({ code: 'SESSION_BUSY' })
    await session.close()
    expect((await start({ store, open: { resume: 'latest' } })).id).toBe(session.id)
  })
})

describe('a session with a fold', () => {
  async function folded() {
    const setup = await setUp(
      scripted((turn) =>
        turn.messages.at(-1)?.content.some((b) => b.type === 'tool_result') ? 'seen' : [call('x.ts')],
      ),
    )
    const store = memoryStore()
    const session = await setup.start({ store, plugins: [folding] })
    for (const prompt of ['one', 'two', 'three']) await eventsOf(session.query(prompt))
    return { ...setup, store, session }
  }

  it('gives a receipt, and takes it back to the very bytes', async () => {
    const { session, bodies, start, store } = await folded()
    await eventsOf(session.query('four'))
    const before = messagesOf(bodies.at(-1))
    const size = session.view().tokens.total
    const outcome = await session.compact()
    expect(outcome).toMatchObject({ receipt: { rung: 'summary', trigger: 'manual' } })
    expect(session.view().tokens.total).toBeLessThan(size)
    await session.undo()
    await eventsOf(session.query('five'))
    const after = messagesOf(bodies.at(-1))
    expect(JSON.stringify(after)).toContain('four')
    expect(JSON.stringify(after).replace(/,"cache_control":\{"type":"ephemeral"\}/g, '')).toContain(
      JSON.stringify(before)
        .slice(0, -1)
        .replace(/,"cache_control":\{"type":"ephemeral"\}/g, ''),
    )
    await session.close()
    const again = await start({ store, open: { resume: session.id }, plugins: [folding] })
    expect(again.view().rounds.length).toBe(session.view().rounds.length)
  })

  it('is read from its checkpoint on, shows the same, and can still be undone', async () => {
    const { session, bodies, start, store } = await folded()
    await session.compact()
    await eventsOf(session.query('four'))
    const shown = JSON.stringify(session.view().rounds)
    await session.close()
    const again = await start({ store, open: { resume: session.id }, plugins: [folding] })
    expect(JSON.stringify(again.view().rounds)).toBe(shown)
    expect(again.view().tokens.total).toBe(session.view().tokens.total)
    await again.undo()
    await eventsOf(again.query('five'))
    expect(bodies.at(-1)).toContain('one')
  })
})
