import { expect, it } from 'vitest'
import { lastSaid, type Simulated, simulated } from '../support/simulated.js'
import { eventsOf, gateTool, startAgent, use } from '../support/talk.js'

/** The server loses what it has cached: its clock goes on, that of the session does not. */
const LOST = 6 * 60_000
const LONG = 'A long story about a boat and its crew on a river. '.repeat(400)

const look = { ...gateTool('look'), run: () => ({ content: [{ type: 'text', text: 'seen' }] }) }

it.each([true, false])(
  'an agent that reads nothing of its own is told at its parent (the cache is lost: %s)',
  async (isLost) => {
    let running: Simulated | undefined
    running = await simulated(
      ({ source, messages }) => {
        const said = lastSaid(messages)
        if (source === 'main') return said.includes('Go.') ? [startAgent({ prompt: LONG, name: 'eye' }) as never] : 'ok'
        if (said.includes('seen')) return 'I have seen it.'
        if (isLost) running?.simulator.clock.advance(LOST)
        return [use('look', {}) as never]
      },
      { session: { tools: [look] } },
    )
    const { session, simulator } = running
    const reads: number[] = []
    simulator.observe(({ entry }) => entry.source === 'agent:eye' && reads.push(entry.read))
    const told: string[] = []
    session.events.on('cache-break', ({ cacheBreak }) => told.push(cacheBreak.source))
    await eventsOf(session.query('Go.'))
    expect(reads).toHaveLength(2)
    expect(reads[1] === 0).toBe(isLost)
    const own = session.breaks().filter(({ source }) => source === 'agent:eye')
    expect(own).toMatchObject(isLost ? [{ cause: 'server', read: 0 }] : [])
    expect(told.filter((source) => source === 'agent:eye')).toHaveLength(own.length)
  },
)

it.each([true, false])(
  'forks of a conversation that read nothing of it are told, each by its name (the cache is lost: %s)',
  async (isLost) => {
    let running: Simulated | undefined
    running = await simulated(({ source, messages }) => {
      if (source !== 'main') return 'My part is done.'
      if (!lastSaid(messages).includes('Fan out.')) return 'ok'
      if (isLost) running?.simulator.clock.advance(LOST)
      return ['one', 'two', 'three'].map((name) => startAgent({ prompt: 'Do it.', mode: 'fork', name }) as never)
    })
    const { session, simulator } = running
    const reads: { source: string; read: number }[] = []
    simulator.observe(({ entry: { source, read } }) => source.startsWith('agent:') && reads.push({ source, read }))
    await eventsOf(session.query(LONG))
    await eventsOf(session.query('Fan out.'))
    expect(reads).toHaveLength(3)
    const empty = reads.flatMap(({ source, read }) => (read === 0 ? [source] : []))
    // The first of them writes the prefix anew for the others.
    expect(empty).toHaveLength(isLost ? 1 : 0)
    const found = session.breaks().filter(({ source }) => source.startsWith('agent:'))
    expect(found.map(({ source }) => source)).toEqual(empty)
    for (const each of found) expect(each).toMatchObject({ cause: 'server', read: 0 })
  },
)

it('agents keep what they send for as long as their parent does', async () => {
  const { session, simulator, bodies } = await simulated(
    ({ source, messages }) => {
      const said = lastSaid(messages)
      if (source !== 'main' || !said.includes('Go.')) return 'ok'
      const fork = startAgent({ prompt: 'Do it.', mode: 'fork', name: 'fork' })
      return [startAgent({ prompt: LONG, name: 'eye' }) as never, fork as never]
    },
    { details: { ttl: '1h' } },
  )
  await eventsOf(session.query(LONG))
  await eventsOf(session.query('Go.'))
  const sources = ['main', 'agent:eye', 'agent:fork']
  expect(simulator.ledger.sources().toSorted()).toEqual(sources.toSorted())
  for (const source of sources) {
    const sent = bodies.filter((each) => each.source === source).map(({ body }) => body)
    const markers = sent.flatMap((body) => body.match(/"cache_control":\{[^}]*\}/g) ?? [])
    expect(new Set(markers), source).toEqual(new Set(['"cache_control":{"type":"ephemeral","ttl":"1h"}']))
    expect(simulator.ledger.totals(source).write5m, source).toBe(0)
    expect(session.cost(source).dollars, source).toBeCloseTo(simulator.ledger.totals(source).dollars, 9)
  }
  expect(simulator.ledger.totals('agent:eye').write1h).toBeGreaterThan(2_000)
  expect(simulator.ledger.totals('agent:fork').read).toBeGreaterThan(2_000)
  expect(session.breaks()).toEqual([])
})
