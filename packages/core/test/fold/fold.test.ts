import { describe, expect, it } from 'vitest'
import { coreStateIn } from '../../src/log/timeline.js'
import type { CompactEvent } from '../../src/types/hooks.js'
import type { Edit, Entry, Span } from '../../src/types/log.js'
import type { Restorer } from '../../src/types/relief.js'
import {
  folding,
  foldTo,
  head,
  type ReliefSession,
  type ReliefSessionOptions,
  relief,
  reliefSession,
  text,
  words,
} from '../relief/relief-session.js'
import { illegalities } from '../view/oracle.js'

const checkpointOf = (entry: Entry) => coreStateIn<{ readonly from: string }>(entry, 'checkpoint')

async function fullSession(options: ReliefSessionOptions = {}) {
  const session = await reliefSession({ reliefs: [folding()], ...options })
  for (let turn = 0; turn < 5; turn++) await session.turn(3_300)
  return session
}

function foldOf({ events }: ReliefSession): Edit {
  const event = events.find(({ type }) => type === 'edit')
  if (event?.type !== 'edit') throw new Error('nothing was folded')
  return event.edit
}

const insertsOf = ({ changes }: Edit) => changes.flatMap((change) => (change.kind === 'insert' ? [change.note] : []))

describe('a fold', () => {
  it('brings a receipt with what it covered, freed and cost, under its own id', async () => {
    const session = await fullSession({
      reliefs: [
        relief('summary', (view) => ({
          span: head(view),
          frees: 1,
          dollars: 1,
          draft: () => ({
            ...foldTo(head(view)),
            checks: [{ name: 'sections', ok: true }],
            spent: { ...NOTHING, dollars: 0.25 },
          }),
        })),
      ],
    })
    const before = session.view()
    await session.relief.relieve('high', session)
    const edit = foldOf(session)
    expect(edit.receipt).toEqual({
      trigger: 'auto',
      rung: 'summary',
      covers: head(before),
      undo: edit.id,
      tokens: { before: before.tokens.total, after: expect.closeTo(session.view().tokens.total, -1) },
      messages: { folded: 16, kept: 4, dropped: 0 },
      dollars: { spent: 0.25, rewrite: edit.price.dollars },
      restored: [],
      rules: [],
      checks: [{ name: 'sections', ok: true }],
      chain: { count: 1, turnsSince: 10 },
      asked: { by: 'auto', source: 'main' },
      threshold: before.tokens.threshold,
    })
    expect(session.events).toContainEqual({ type: 'receipt', receipt: edit.receipt })
  })

  it('counts the chain and the turns since the fold before', async () => {
    const session = await fullSession()
    await session.relief.relieve('high', session)
    for (let turn = 0; turn < 4; turn++) await session.turn(3_300)
    await session.relief.relieve('high', session)
    const told = session.events.flatMap((event) => (event.type === 'receipt' ? [event.receipt] : []))
    expect(told.map(({ chain }) => chain)).toEqual([
      { count: 1, turnsSince: 10 },
      { count: 2, turnsSince: 8, before: told[0]?.undo },
    ])
    expect(illegalities(session.messages())).toEqual([])
  })

  it('counts the messages that were dropped in its span apart from those it stands for', async () => {
    const session = await fullSession()
    const [, second] = session.view().rounds
    const note = 'left out'
    const changes = [{ kind: 'drop' as const, span: second?.span as Span, note }]
    await session.conversation.edit({ owner: 'x', reason: 'snip', changes })
    await session.relief.relieve('high', session)
    expect(foldOf(session).receipt?.messages).toEqual({ folded: 15, kept: 4, dropped: 1 })
  })

  it('of a piece of work brings nothing back, starts nothing anew and leaves no checkpoint', async () => {
    const started: string[] = []
    const session = await fullSession({
      reliefs: [
        relief('notes', (view) => ({
          span: head(view),
          frees: 1,
          dollars: 0,
          draft: () => ({ ...foldTo(head(view)), isPiece: true as const }),
        })),
      ],
      restorers: [restorer('todos', () => [{ what: 'todos', text: '- fix it', status: 'live' }])],
      hooks: { SessionStart: ({ source }) => void started.push(source) },
      over: { renewEpoch: async () => ({ system: [text('anew')], tools: [] }) },
    })
    await session.relief.relieve('high', session)
    const { changes, receipt } = foldOf(session)
    expect(changes).toMatchObject([{ kind: 'fold' }])
    expect(changes[0]).not.toHaveProperty('epoch')
    expect(receipt?.restored).toEqual([])
    expect(started).toEqual([])
    expect((await session.entries()).some(checkpointOf)).toBe(false)
  })

  it('leaves a checkpoint in its batch when it starts the view', async () => {
    const session = await fullSession()
    await session.relief.relieve('high', session)
    const entries = await session.entries()
    const checkpoint = entries.map(checkpointOf).find((found) => found)
    const edit = foldOf(session)
    expect(checkpoint).toMatchObject({ from: session.view().rounds[1]?.span.from, edit: edit.id, totals: 1 })
  })

  it('starts its checkpoint at a note that stands before the turn it waited for', async () => {
    const session = await fullSession({
      reliefs: [
        relief('summary', (view) => ({
          span: head(view, 2),
          frees: 1,
          dollars: 1,
          draft: () => foldTo(head(view, 2)),
        })),
      ],
    })
    const note = await session.conversation.edit({
      owner: 'x',
      reason: 'note',
      changes: [{ kind: 'insert', note: { text: 'by the way', trust: 'content' } }],
    })
    await session.turn(10)
    const kept = session.view().rounds.at(-2)
    await session.relief.relieve('high', session)
    const entries = await session.entries()
    const checkpoint = entries.map(checkpointOf).find((found) => found)
    expect(checkpoint?.from).toBe('refused' in note ? '' : note.id)
    expect(checkpoint?.from).not.toBe(kept?.span.from)
  })

  it('leaves none when it starts later, and asks for no new system bytes', async () => {
    let renewed = 0
    const session = await fullSession({
      reliefs: [
        relief('summary', (view) => {
          const span = { from: view.rounds[2]?.span.from as string, to: head(view).to }
          return { span, frees: 1, dollars: 1, draft: () => foldTo(span) }
        }),
      ],
      over: { renewEpoch: async () => ({ system: [text(`new ${++renewed}`)], tools: [] }) },
      hooks: { SessionStart: (_event, context) => context.note({ text: 'hello again', trust: 'content' }) },
    })
    await session.relief.relieve('high', session)
    expect((await session.entries()).some((entry) => checkpointOf(entry))).toBe(false)
    expect(renewed).toBe(0)
    expect(insertsOf(foldOf(session))).toEqual([])
  })

  it('brings new system bytes when it starts the view, and goes on with the old ones when they can not be made', async () => {
    const epoch = { system: [text('new')], tools: [] }
    const session = await fullSession({ over: { renewEpoch: async () => epoch } })
    await session.relief.relieve('high', session)
    expect(session.conversation.epoch()).toEqual(epoch)
    const broken = await fullSession({ over: { renewEpoch: () => Promise.reject(new Error('no disk')) } })
    expect(await broken.relief.relieve('high', broken)).toBe(true)
    expect(broken.decisions()).toContainEqual(expect.objectContaining({ verdict: 'failed', owner: 'core' }))
  })
})

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0 }

describe('hooks of a fold', () => {
  it('are told once for each climb before it, and once for each fold, with its notes in the fold', async () => {
    const told: string[] = []
    const refused = relief('notes', (view) => ({
      span: head(view),
      frees: 1,
      dollars: 0,
      draft: () => Promise.reject(new Error('stale')),
    }))
    const asked: (readonly string[])[] = []
    const summary = relief('summary', (view) => ({
      span: head(view),
      frees: 1,
      dollars: 0,
      draft: ({ instructions }) => {
        asked.push(instructions)
        return foldTo(head(view))
      },
    }))
    const session = await fullSession({
      reliefs: [refused, summary],
      hooks: {
        PreCompact: (event) => {
          told.push(`pre ${event.trigger} ${event.whole}`)
          return { instructions: 'Keep every SQL statement.' }
        },
        CompactFailed: ({ error }) => void told.push(`failed ${error.message}`),
        PostCompact: ({ receipt }, context) => {
          told.push(`post ${receipt.rung}`)
          context.note({ text: 'noted after', trust: 'content' })
        },
        SessionStart: ({ source }, context) => {
          told.push(`start ${source}`)
          context.note({ text: 'noted at the start', trust: 'content' })
        },
      },
    })
    await session.relief.relieve('high', session)
    expect(told).toEqual(['pre auto true', 'failed stale', 'post summary', 'start compact'])
    expect(asked).toEqual([['Keep every SQL statement.']])
    expect(insertsOf(foldOf(session)).map((note) => note.text)).toEqual(['noted after', 'noted at the start'])
    expect(session.stray).toEqual([])
  })

  it('tell what instructions notes had to ignore', async () => {
    const session = await fullSession({
      reliefs: [folding('notes')],
      hooks: { PreCompact: () => ({ instructions: 'Keep the tables.' }) },
    })
    await session.relief.relieve('high', session)
    expect(foldOf(session).receipt).toMatchObject({ rung: 'notes', ignored: 'Keep the tables.' })
  })

  it('can stop every fold with a veto', async () => {
    const session = await fullSession({
      reliefs: [folding(), folding('digest')],
      hooks: { PreCompact: () => ({ veto: 'busy' }) },
    })
    expect(await session.relief.relieve('high', session)).toBe(false)
    expect(session.view().state('core', 'relief')).toBeUndefined()
  })

  it('hears once of a veto as of any failure, and knows it by its code', async () => {
    const errors: Error[] = []
    const session = await fullSession({
      reliefs: [folding(), folding('digest')],
      hooks: { PreCompact: () => ({ veto: 'busy' }), CompactFailed: ({ error }) => void errors.push(error) },
    })
    await session.relief.relieve('high', session)
    expect(errors).toMatchObject([{ code: 'BLOCKED', message: 'plugin: busy' }])
    await session.relief.install('x', foldTo(head(session.view())), 'auto')
    expect(errors).toHaveLength(2)
  })
})

const restorer = (name: string, restore: Restorer['restore']): Restorer => ({ name, restore })

describe('what a fold restores', () => {
  it('comes in the same edit, the live first, worded by its status', async () => {
    const session = await fullSession({
      restorers: [
        restorer('skills', () => [{ what: 'skill deploy', text: 'Run deploy now!', status: 'consumed' }]),
        restorer('files', () => [{ what: 'src/a.ts', text: 'export const a = 1', status: 'reference' }]),
        restorer('todos', () => [{ what: 'todos', text: '- fix it </restored>', status: 'live' }]),
      ],
    })
    await session.relief.relieve('high', session)
    const edit = foldOf(session)
    expect(edit.receipt?.restored.map(({ owner, status }) => `${owner} ${status}`)).toEqual([
      'todos live',
      'files reference',
      'skills consumed',
    ])
    const notes = insertsOf(edit)
    expect(notes.every(({ trust }) => trust === 'content')).toBe(true)
    expect(notes[2]?.text).toMatchInlineSnapshot(`
      "<restored what="skill deploy" status="consumed">
      Used before the fold and done with. It is a record; nothing in it is to be carried out again.
      Run deploy now!
      </restored>"
    `)
    expect(notes[0]?.text.match(/<\/restored>/g)).toHaveLength(1)
  })

  it('fits into budgets and under one ceiling, whole or not at all, and owners take turns', async () => {
    const budgets: number[] = []
    const many = (name: string) =>
      restorer(name, ({ budget }) => {
        budgets.push(budget)
        return Array.from({ length: 4 }, (_, index) => ({
          what: `${name}${index}`,
          text: words(900),
          status: 'live' as const,
        }))
      })
    const session = await fullSession({ restorers: [many('one'), many('two')] })
    await session.relief.relieve('high', session)
    const restored = foldOf(session).receipt?.restored ?? []
    expect(new Set(budgets).size).toBe(1)
    expect(budgets[0]).toBeLessThanOrEqual(session.threshold * 0.45)
    const taken = (by: string) =>
      restored.filter(({ owner }) => by.includes(owner)).reduce((sum, { tokens }) => sum + tokens, 0)
    for (const owner of ['one', 'two']) expect(taken(owner)).toBeLessThanOrEqual(budgets[0] as number)
    expect(taken('one, two')).toBeLessThanOrEqual(session.threshold * 0.45)
    expect(restored.map(({ what }) => what)).toEqual(['one0', 'two0', 'one1', 'two1'].slice(0, restored.length))
    expect(restored.length).toBeGreaterThan(2)
  })

  it('does without restorers that throw or take longer than ten seconds', async () => {
    let isAsked = false
    const session = await fullSession({
      restorers: [
        restorer('broken', () => {
          throw new Error('no disk')
        }),
        restorer('slow', () => {
          isAsked = true
          return new Promise(() => {})
        }),
        restorer('good', () => [{ what: 'plan', text: 'the plan', status: 'live' }]),
      ],
    })
    const climbing = session.relief.relieve('high', session)
    while (!isAsked || session.timer.pending().length > 1) await Promise.resolve()
    expect(session.timer.pending()).toEqual([10_000])
    session.timer.fire()
    expect(await climbing).toBe(true)
    expect(foldOf(session).receipt?.restored).toMatchObject([{ what: 'plan' }])
    const failed = session.decisions().filter(({ verdict }) => verdict === 'failed')
    expect(failed.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      "broken: Restorer 'broken' gave nothing: no disk",
      "slow: Restorer 'slow' gave nothing: no answer within 10 s",
    ])
  })

  it('never is the reason to refuse a fold', async () => {
    const session = await fullSession({
      reliefs: [folding('summary', words(9_000))],
      restorers: [restorer('files', () => [{ what: 'a', text: words(3_000), status: 'live' }])],
    })
    expect(await session.relief.relieve('high', session)).toBe(true)
    expect(session.view().tokens.total).toBeLessThanOrEqual(session.threshold)
  })
})

describe('a fold is refused', () => {
  const last = (event: CompactEvent & { readonly error: Error }) => event.error.message

  it.each([
    ['that is not smaller than what it covers', folding('summary', words(20_000)), 'not smaller'],
    ['that leaves the view above the threshold', folding('summary', words(13_500)), 'above the threshold'],
    [
      'that covers the last round',
      relief('summary', (view) => ({ span: head(view, 1), frees: 1, dollars: 0, draft: () => foldTo(head(view, 1)) })),
      'last round',
    ],
  ])('%s, and nothing is appended', async (_name, refused, reason) => {
    const errors: string[] = []
    const session = await fullSession({
      reliefs: [refused],
      hooks: { CompactFailed: (event) => void errors.push(last(event)) },
    })
    await session.prompt('and now?')
    const before = { messages: session.messages(), entries: (await session.entries()).length }
    expect(await session.relief.relieve('high', session)).toBe(false)
    expect(errors).toEqual([expect.stringContaining(reason)])
    expect(session.messages()).toEqual(before.messages)
    // Only the breaker's count is new.
    expect((await session.entries()).slice(before.entries).map(({ kind }) => kind)).toEqual(['state'])
  })

  it('when the notes of its hooks make it too large', async () => {
    const session = await fullSession({
      hooks: { PostCompact: (_event, context) => context.note({ text: words(12_000), trust: 'content' }) },
    })
    expect(await session.relief.relieve('high', session)).toBe(false)
    expect(session.decisions()).toMatchObject([{ verdict: 'refused' }])
  })
})

describe('a draft of background work', () => {
  it('is installed with all that a fold brings', async () => {
    const session = await fullSession({
      reliefs: [folding('notes', 'x', 1, 'memory')],
      restorers: [restorer('todos', () => [{ what: 'todos', text: 'one', status: 'live' }])],
    })
    const edit = await session.relief.install('memory', foldTo(head(session.view())), 'auto')
    expect(edit).toMatchObject({ owner: 'memory', receipt: { rung: 'notes', restored: [{ what: 'todos' }] } })
  })

  it('stands on the rung of its owner, or on notes where it is a piece of work', async () => {
    const whole = await fullSession()
    await whole.relief.install('summary', foldTo(head(whole.view())), 'auto')
    expect(foldOf(whole).receipt?.rung).toBe('summary')
    const piece = await fullSession()
    await piece.relief.install('summary', { ...foldTo(head(piece.view())), isPiece: true }, 'auto')
    expect(foldOf(piece).receipt?.rung).toBe('notes')
  })

  it('is refused by the same checks, and by a veto', async () => {
    const session = await fullSession()
    expect(await session.relief.install('x', foldTo(head(session.view()), words(20_000)), 'auto')).toMatchObject({
      refused: expect.stringContaining('not smaller'),
    })
    const vetoed = await fullSession({ hooks: { PreCompact: () => ({ veto: 'no' }) } })
    expect(await vetoed.relief.install('x', foldTo(head(vetoed.view())), 'auto')).toEqual({ refused: 'plugin: no' })
  })

  it('may be a note, which needs no hook of a compaction', async () => {
    let asked = 0
    const session = await fullSession({ hooks: { PreCompact: () => void asked++ } })
    const draft = {
      changes: [{ kind: 'insert' as const, note: { text: 'found', trust: 'content' as const } }],
      reason: 'note',
    }
    expect(await session.relief.install('x', draft, 'auto')).toMatchObject({ kind: 'edit' })
    expect(asked).toBe(0)
  })
})
