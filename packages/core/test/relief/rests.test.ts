import { describe, expect, it } from 'vitest'
import type { Relief } from '../../src/types/relief.js'
import { folding, foldTo, head, type ReliefSession, relief, reliefSession } from './relief-session.js'

const USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0.35 }

/** A way that asks the model, is paid for, and gives what no check lets through; unless told otherwise. */
function paidInVain(isGood = () => false): Relief & { readonly tries: number } {
  let tries = 0
  const way = relief(
    'summary',
    (view) => ({
      span: head(view),
      frees: 1000,
      dollars: 0.1,
      async draft(plan) {
        tries++
        await plan.ask({ source: 'compact', system: '', messages: [], signal: plan.signal })
        return isGood() ? foldTo(head(view)) : { changes: [], reason: 'nothing' }
      },
    }),
    'shared',
  )
  return Object.defineProperty(way, 'tries', { get: () => tries }) as Relief & { readonly tries: number }
}

const ask = async () => ({ text: 'in vain', content: [], usage: USAGE, stop: 'end_turn' as const })

async function sessionWith(reliefs: readonly Relief[], log?: ReliefSession['log']) {
  return reliefSession({ reliefs, over: { ask: ask as never }, ...(log && { log }) })
}

/** Fills the view and folds it that many times; whether the way was tried each time. */
async function folds(session: ReliefSession, times: number, way: { readonly tries: number }): Promise<string> {
  let tried = ''
  for (let time = 0; time < times; time++) {
    while (session.view().tokens.total <= session.threshold) await session.turn(3_300)
    const before = way.tries
    expect(await session.relief.relieve('high', session)).toBe(true)
    tried += way.tries > before ? 'x' : '.'
  }
  return tried
}

const notices = ({ log }: ReliefSession) => log.flatMap((entry) => (entry.kind === 'notice' ? [entry.text] : []))

describe('a way of compacting that fails while another helps', () => {
  it('rests after two failures in a row, longer each time, and people are told', async () => {
    const way = paidInVain()
    const session = await sessionWith([way, folding('digest')])
    expect(await folds(session, 18, way)).toBe('xx..x....x........')
    expect(notices(session)).toEqual([
      expect.stringContaining('Compacting by shared has failed 2 times in a row'),
      expect.stringContaining('left out of the next 4 compactions'),
      expect.stringContaining('left out of the next 8 compactions'),
    ])
    const rested = session.decisions().filter(({ verdict }) => verdict === 'stopped')
    expect(rested).toHaveLength(14)
    expect(rested[0]).toMatchObject({ name: 'shared', rung: 'summary', reason: expect.stringContaining('rests') })
  })

  it('begins anew once it has worked', async () => {
    let isGood = false
    const way = paidInVain(() => isGood)
    const session = await sessionWith([way, folding('digest')])
    expect(await folds(session, 4, way)).toBe('xx..')
    isGood = true
    expect(await folds(session, 3, way)).toBe('xxx')
    isGood = false
    expect(await folds(session, 5, way)).toBe('xx..x')
  })

  it('is tried while it rests where nothing else helps', async () => {
    let isGood = false
    const way = paidInVain(() => isGood)
    const reliefs = [way, folding('digest')]
    const session = await sessionWith(reliefs)
    expect(await folds(session, 2, way)).toBe('xx')
    reliefs.pop()
    isGood = true
    expect(await folds(session, 2, way)).toBe('xx')
  })

  it('is tried at once when a person asks, and rests no more when it works then', async () => {
    let isGood = false
    const way = paidInVain(() => isGood)
    const session = await sessionWith([way, folding('digest')])
    expect(await folds(session, 3, way)).toBe('xx.')
    isGood = true
    await session.turn(3_300)
    await session.turn(3_300)
    expect(await session.relief.compact({ signal: session.signal })).toHaveProperty('edit')
    expect(way.tries).toBe(3)
    isGood = false
    expect(await folds(session, 2, way)).toBe('xx')
  })

  it('still rests after a resume', async () => {
    const way = paidInVain()
    const first = await sessionWith([way, folding('digest')])
    expect(await folds(first, 3, way)).toBe('xx.')
    const second = await sessionWith([way, folding('digest')], await first.entries())
    expect(await folds(second, 2, way)).toBe('.x')
  })

  it('does not rest for what has cost nothing', async () => {
    let tries = 0
    const free: Relief & { readonly tries: number } = Object.defineProperty(
      relief('notes', (view) => ({
        span: head(view),
        frees: 1000,
        dollars: 0,
        draft: () => {
          tries++
          return { changes: [], reason: 'nothing' }
        },
      })),
      'tries',
      { get: () => tries },
    ) as never
    const session = await sessionWith([free, folding('digest')])
    expect(await folds(session, 5, free)).toBe('xxxxx')
  })
})
