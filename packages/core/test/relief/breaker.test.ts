import { describe, expect, it } from 'vitest'
import type { Relief } from '../../src/types/relief.js'
import { clearing, folding, foldTo, head, type ReliefSession, relief, reliefSession } from './relief-session.js'

const failing: Relief = relief('summary', (view) => ({
  span: head(view),
  frees: 1,
  dollars: 0,
  draft: () => Promise.reject(new Error('no model')),
}))

/** Climbs as often as asked, each time after the view has grown enough for another one. */
async function climbs(session: ReliefSession, times: number) {
  for (let time = 0; time < times; time++) {
    await session.turn(900)
    await session.relief.relieve('high', session)
  }
}

async function fullSession(reliefs: readonly Relief[]) {
  const session = await reliefSession({ reliefs })
  for (let turn = 0; turn < 5; turn++) await session.turn(3_300)
  return session
}

const notices = ({ log }: ReliefSession) => log.flatMap((entry) => (entry.kind === 'notice' ? [entry.text] : []))

describe('the breaker', () => {
  it('stops automatic folds after three failed climbs, with one notice in the log', async () => {
    const session = await fullSession([failing])
    await climbs(session, 2)
    expect(notices(session)).toEqual([])
    await climbs(session, 3)
    expect(session.decisions().filter(({ verdict }) => verdict === 'failed')).toHaveLength(3)
    expect(notices(session)).toEqual([expect.stringContaining('3 compactions in a row have failed')])
  })

  it('leaves clearing alone, and gives way at overflow', async () => {
    const reliefs = [failing]
    const session = await fullSession(reliefs)
    await climbs(session, 3)
    reliefs.push(clearing())
    expect(session.view().tokens.total).toBeGreaterThan(session.threshold)
    await climbs(session, 1)
    expect(session.decisions().at(-1)).toMatchObject({ rung: 'clear', verdict: 'taken' })
    reliefs.splice(0, 2, folding('digest'))
    expect(await session.relief.relieve('overflow', session)).toBe(true)
    expect(session.view().state('core', 'relief')).toEqual({ failures: 0, lean: 0, folds: 1 })
  })

  it('climbs again at the threshold once an overflow was relieved', async () => {
    const reliefs = [failing]
    const session = await fullSession(reliefs)
    await climbs(session, 4)
    reliefs.splice(0, 1, folding())
    expect(await session.relief.relieve('overflow', session)).toBe(true)
    expect(session.view().tokens.total).toBeLessThan(session.threshold)
    while (session.view().tokens.total <= session.threshold) await session.turn(900)
    expect(await session.relief.relieve('high', session)).toBe(true)
  })

  it('lets a person compact, which starts it again', async () => {
    const reliefs = [failing]
    const session = await fullSession(reliefs)
    await climbs(session, 3)
    reliefs.splice(0, 1, folding())
    expect(await session.relief.compact({ signal: session.signal })).toHaveProperty('edit')
    for (let turn = 0; turn < 4; turn++) await session.turn(3_300)
    expect(await session.relief.relieve('high', session)).toBe(true)
  })

  it('counts a climb that folds on a higher rung as no failure', async () => {
    const session = await fullSession([failing, folding('digest')])
    await session.relief.relieve('high', session)
    expect(session.view().state('core', 'relief')).toEqual({ failures: 0, lean: 0, folds: 1 })
  })

  it('stops after two folds in a row that freed less than a tenth', async () => {
    const lean = relief('summary', (view) => {
      const span = { from: view.rounds[0]?.span.from as string, to: view.rounds[0]?.span.to as string }
      return { span, frees: 1, dollars: 0, draft: () => foldTo(span, 'short') }
    })
    const session = await reliefSession({ reliefs: [lean] })
    for (let turn = 0; turn < 12; turn++) await session.turn(1_120)
    const before = session.view().tokens.total
    expect(await session.relief.relieve('high', session)).toBe(true)
    expect(session.view().tokens.total).toBeGreaterThan(before * 0.9)
    expect(notices(session)).toEqual([])
    await session.turn(1_000)
    const next = relief('summary', (view) => {
      const span = { from: view.rounds[0]?.span.from as string, to: view.rounds[2]?.span.to as string }
      return { span, frees: 1, dollars: 0, draft: () => foldTo(span, 'short') }
    })
    const resumed = await reliefSession({ reliefs: [next], log: await session.entries() })
    expect(resumed.view().state('core', 'relief')).toEqual({ failures: 0, lean: 1, folds: 1 })
    expect(await resumed.relief.relieve('high', resumed)).toBe(true)
    expect(notices(resumed)).toEqual([expect.stringContaining('freed less than 10%')])
  })
})
