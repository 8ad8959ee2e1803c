import { describe, expect, it } from 'vitest'
import { placeBefore } from '../../src/request/markers.js'
import type { Relief } from '../../src/types/relief.js'
import {
  clearing,
  folding,
  foldTo,
  head,
  type ReliefSessionOptions,
  relief,
  reliefSession,
  text,
} from './relief-session.js'

/** Above the threshold of 16,700 tokens: five turns of about 4,000. */
async function fullSession(options: ReliefSessionOptions = {}) {
  const session = await reliefSession(options)
  for (let turn = 0; turn < 5; turn++) await session.turn(3_300)
  return session
}

describe('a climb', () => {
  it('goes no higher than it has to', async () => {
    const session = await fullSession({ reliefs: [folding(), clearing()] })
    expect(session.view().tokens.total).toBeGreaterThan(session.threshold)
    expect(await session.relief.relieve('high', session)).toBe(true)
    expect(session.view().tokens.total).toBeLessThan(session.threshold)
    expect(session.decisions()).toMatchObject([{ verdict: 'taken', rung: 'clear', owner: 'clear' }])
  })

  it('does nothing at high pressure when the view is below the threshold', async () => {
    const session = await reliefSession({ reliefs: [folding(), clearing()] })
    await session.turn(100)
    expect(await session.relief.relieve('high', session)).toBe(false)
    expect(session.events).toEqual([])
  })

  it('takes the cheapest offer of a rung, and the next one when its draft fails', async () => {
    const broken: Relief = relief(
      'summary',
      (view) => ({
        span: head(view),
        frees: 1,
        dollars: 0.1,
        draft: () => Promise.reject(new Error('no model')),
      }),
      'cheap',
    )
    const session = await fullSession({
      reliefs: [folding('summary', 'dear', 3, 'dear'), folding('summary', 'fair', 2, 'fair'), broken],
    })
    expect(await session.relief.relieve('high', session)).toBe(true)
    expect(session.decisions().map(({ name, verdict }) => `${name} ${verdict}`)).toEqual(['cheap failed', 'fair taken'])
    expect(session.messages()[0]?.content[0]?.text).toBe('fair')
  })

  it('goes on when a relief throws while it is asked', async () => {
    const broken = relief(
      'clear',
      () => {
        throw new Error('broken')
      },
      'broken',
    )
    const session = await fullSession({ reliefs: [broken, folding()] })
    expect(await session.relief.relieve('high', session)).toBe(true)
    expect(session.decisions()[0]).toMatchObject({ verdict: 'failed', owner: 'broken', reason: 'broken' })
  })

  it('tells of an offer for what is not in view, and skips it', async () => {
    const lost = relief('clear', () => ({
      span: { from: 'x', to: 'y' },
      frees: 9,
      dollars: 0,
      draft: () => foldTo({ from: 'x', to: 'y' }),
    }))
    const session = await fullSession({ reliefs: [lost] })
    expect(await session.relief.relieve('high', session)).toBe(false)
    expect(session.decisions()).toMatchObject([{ verdict: 'void' }])
  })

  it('does not install a draft once the view has changed inside its span', async () => {
    const session = await fullSession({
      reliefs: [
        relief('summary', (view) => ({
          span: head(view),
          frees: 9,
          dollars: 0,
          draft: async () => {
            const target = { entry: view.rounds[0]?.entries.at(-1)?.id as string, block: 0 }
            const block = view.rounds[0]?.entries.at(-1)?.content[0]
            await session.conversation.edit({
              owner: 'other',
              reason: 'x',
              changes: [{ kind: 'replace', target, content: [{ type: 'tool_result', ...block, content: 'short' }] }],
            })
            return foldTo(head(view))
          },
        })),
      ],
    })
    await session.relief.relieve('high', session)
    expect(session.decisions()).toMatchObject([{ verdict: 'refused', reason: expect.stringContaining('has changed') }])
    expect(session.events.some(({ type }) => type === 'edit')).toBe(false)
  })

  it('lets a second climb wait for the first, and find that nothing is left to do', async () => {
    const session = await fullSession({ reliefs: [folding()] })
    const both = await Promise.all([session.relief.relieve('high', session), session.relief.relieve('high', session)])
    expect(both).toEqual([true, false])
    expect(session.events.filter(({ type }) => type === 'edit')).toHaveLength(1)
  })

  it('stops when it is aborted, without a failure', async () => {
    const abort = new AbortController()
    const hanging = relief('summary', (view) => ({
      span: head(view),
      frees: 9,
      dollars: 0,
      draft: () => {
        abort.abort()
        return new Promise(() => {})
      },
    }))
    const session = await fullSession({ reliefs: [hanging, folding('digest')] })
    expect(await session.relief.relieve('high', { signal: abort.signal })).toBe(false)
    expect(session.view().state('core', 'relief')).toBeUndefined()
    expect(session.decisions()).toEqual([])
  })

  it('tells of the accepted edit when it is in the view', async () => {
    const seen: number[] = []
    const session = await fullSession({
      reliefs: [folding()],
      hooks: {
        ViewChanged: ({ view, edit }) => {
          seen.push(view.rounds.length)
          expect(edit.receipt).toBeDefined()
        },
      },
    })
    const before = session.view().rounds.length
    await session.relief.relieve('high', session)
    expect(seen[0]).toBeLessThan(before)
  })
})

describe('at idle', () => {
  it('takes only what pays, and says so with figures either way', async () => {
    const session = await fullSession({ reliefs: [clearing()], pace: { turnsExpected: 1 } })
    expect(await session.relief.relieve('idle', session)).toBe(false)
    const [decision] = session.decisions()
    expect(decision).toMatchObject({
      verdict: 'declined',
      figures: { turnsExpected: 1, readPrice: 0.5, writePrice: 6.25 },
    })
  })

  it('clears on a cold cache', async () => {
    const session = await fullSession({ reliefs: [clearing()], pace: { turnsExpected: 1, isCold: true } })
    expect(await session.relief.relieve('idle', session)).toBe(true)
    expect(session.decisions()).toMatchObject([{ verdict: 'taken', figures: { isCold: true } }])
  })

  it('remembers where the next cut begins, and counts on the mark before it once a request has carried it', async () => {
    const offered: string[] = []
    const late = relief('clear', (view) => {
      const last = view.rounds
        .filter(({ entries }) => entries.some(({ content }) => content[0]?.type === 'tool_result'))
        .at(-1)
      offered.push(last?.span.from as string)
      return last && { span: last.span, frees: 500, dollars: 0, draft: () => ({ changes: [], reason: '' }) }
    })
    const session = await fullSession({ reliefs: [late] })
    await session.relief.relieve('idle', session)
    const { messages } = session.conversation.rendering()
    expect(session.relief.nextCut(messages)).toEqual(placeBefore(messages, offered[0] as string))
    await session.turn(10)
    await session.relief.relieve('idle', session)
    const [first, second] = session.decisions().map(({ figures }) => figures?.rewritten ?? 0)
    expect(second).toBeLessThan((first as number) / 2)
  })

  it('takes as the price of another cut neither what came since the last request nor what a cut leaves inside', async () => {
    const session = await reliefSession({ reliefs: [clearing()], pace: { turnsExpected: 1 } })
    for (let call = 0; call < 5; call++) await session.work(1_000)
    await session.relief.relieve('idle', session)
    await session.work(1_000)
    await session.relief.relieve('idle', session)
    const [first, second] = session.decisions().map(({ figures }) => figures)
    const [kept] = session.view().rounds.slice(-2)
    // Two stay. One of them came just now and is in no cache, so that only the other is written again each time.
    expect(second?.rewritten).toBeGreaterThan(second?.once as number)
    const again = (second?.rewritten ?? 0) - (second?.once ?? 0)
    expect(Math.abs(again - (kept?.tokens ?? 0))).toBeLessThan(50)
    expect(second?.held).toBe((first?.held ?? 0) + (second?.frees ?? 0))
  })

  it('keeps the mark before a cut for the request that follows it', async () => {
    const session = await fullSession({ reliefs: [clearing()], pace: { isCold: true } })
    const [first] = session
      .view()
      .rounds.flatMap(({ entries }) => entries.filter(({ content }) => content[0]?.type === 'tool_result'))
    expect(await session.relief.relieve('idle', session)).toBe(true)
    const { messages } = session.conversation.rendering()
    expect(session.relief.nextCut(messages)).toEqual(placeBefore(messages, first?.id as string))
  })

  it('never folds when no relief offers to', async () => {
    const session = await fullSession({ reliefs: [folding()], pace: { isCold: true } })
    expect(await session.relief.relieve('idle', session)).toBe(false)
  })
})

describe('pins', () => {
  it('hold at high pressure and give way at overflow', async () => {
    const session = await fullSession({ reliefs: [folding()] })
    const span = {
      from: session.view().rounds[0]?.span.from as string,
      to: session.view().rounds[1]?.span.to as string,
    }
    const fold = await session.conversation.edit({
      owner: 'x',
      reason: 'x',
      changes: [{ kind: 'fold', span, content: [text('s')] }],
    })
    if ('refused' in fold) throw new Error(fold.refused)
    await session.conversation.edit({ owner: 'user', reason: 'undo', changes: [{ kind: 'revert', edit: fold.id }] })
    await session.conversation.append({ kind: 'state', owner: 'core', key: 'pinned', value: [fold.id] })
    expect(await session.relief.relieve('high', session)).toBe(false)
    expect(session.decisions()).toMatchObject([{ verdict: 'refused', reason: expect.stringContaining('person') }])
    expect(await session.relief.relieve('overflow', session)).toBe(true)
  })
})

describe('an overflow', () => {
  it('frees at least the gap that the server named, also below the threshold', async () => {
    const session = await reliefSession({ reliefs: [clearing(), folding()] })
    for (let turn = 0; turn < 4; turn++) await session.turn(1_000)
    const before = session.view().tokens.total
    expect(before).toBeLessThan(session.threshold)
    expect(await session.relief.relieve('overflow', { ...session, gap: 3_000 })).toBe(true)
    expect(before - session.view().tokens.total).toBeGreaterThanOrEqual(3_000)
    expect(session.decisions().map(({ rung }) => rung)).toEqual(['clear'])
  })

  it('gives up at a veto', async () => {
    const session = await fullSession({
      reliefs: [folding(), folding('digest')],
      hooks: { PreCompact: () => ({ veto: 'not now' }) },
    })
    expect(await session.relief.relieve('overflow', session)).toBe(false)
    expect(session.decisions()).toMatchObject([{ verdict: 'vetoed', reason: 'plugin: not now' }])
  })
})

describe('a climb without progress', () => {
  const useless = relief('clear', () => undefined)

  it('is not repeated before the view has grown', async () => {
    let asked = 0
    const session = await fullSession({
      reliefs: [
        {
          ...useless,
          offer: () => {
            asked += 1
            return undefined
          },
        },
      ],
    })
    await session.relief.relieve('high', session)
    await session.relief.relieve('high', session)
    expect(asked).toBe(1)
    expect(session.decisions()).toMatchObject([{ verdict: 'stopped' }])
    await session.turn(800)
    await session.relief.relieve('high', session)
    expect(asked).toBe(2)
    await session.relief.relieve('overflow', session)
    expect(asked).toBe(3)
  })
})

describe('drafts that no relief may make', () => {
  it.each([
    ['a fold on the clear rung', 'clear' as const, 'fold' as const],
    ['a rewind', 'summary' as const, 'rewind' as const],
    ['a replacement that grows', 'clear' as const, 'grow' as const],
    ['a fold of nothing', 'summary' as const, 'empty' as const],
    ['no draft at all', 'summary' as const, 'none' as const],
  ])('%s is refused and leaves everything as it was', async (_name, rung, kind) => {
    const session = await fullSession({
      reliefs: [
        relief(rung, (view) => {
          const span = head(view)
          const target = { entry: view.rounds[0]?.entries.at(-1)?.id as string, block: 0 }
          const result = view.rounds[0]?.entries.at(-1)?.content[0] ?? text('')
          const drafts = {
            fold: foldTo(span),
            rewind: {
              changes: [
                { kind: 'drop' as const, span: { from: span.from, to: view.rounds.at(-1)?.span.to as string } },
              ],
              reason: '',
            },
            grow: {
              changes: [{ kind: 'replace' as const, target, content: [{ ...result, content: 'x '.repeat(90_000) }] }],
              reason: '',
            },
            empty: { changes: [{ kind: 'fold' as const, span, content: [text(' ')] }], reason: '' },
            none: undefined as never,
          }
          return { span, frees: 1000, dollars: 0, draft: () => drafts[kind] }
        }),
      ],
    })
    const before = session.messages()
    expect(await session.relief.relieve('high', session)).toBe(false)
    expect(session.messages()).toEqual(before)
    expect(session.events.some(({ type }) => type === 'edit')).toBe(false)
  })
})
