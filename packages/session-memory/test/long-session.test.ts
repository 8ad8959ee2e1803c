import { definePlugin, type Id, type Timer, type View } from '@nacre/core'
import { expect, it } from 'vitest'
import { sessionMemory } from '../src/index.js'
import { setUp } from './support/set-up.js'
import { readFileTool, worker } from './support/worker.js'

interface Fold {
  readonly before: View
  readonly after: View
  readonly reason: string
  readonly lastTurn: number
}

/** Looks at the view before and after each fold. */
function watching(folds: Fold[]) {
  return definePlugin({
    name: 'watching',
    setup() {
      let before: View | undefined
      let lastTurn = 0
      return {
        hooks: {
          PostModelCall: () => {
            lastTurn += 1
          },
          PostCompact: (_event, context) => {
            before = context.view()
          },
          ViewChanged: ({ edit, view }) => {
            if (edit.receipt && before) folds.push({ before, after: view, reason: edit.reason, lastTurn })
          },
        },
      }
    },
  })
}

/** The entries behind another one. */
function entriesAfter({ rounds }: View, id: Id): Id[] {
  const ids = rounds.flatMap(({ entries }) => entries.map((entry) => entry.id))
  expect(ids).toContain(id)
  return ids.slice(ids.indexOf(id) + 1)
}

/** What the model sees of entries. */
function shown(view: View, ids: readonly Id[]) {
  const entries = view.rounds.flatMap((round) => round.entries)
  return ids.map((id) => {
    const content = entries.find((entry) => entry.id === id)?.content
    return content?.flatMap((_, block) => view.shown({ entry: id, block }))
  })
}

it('compacts a session of 600 calls by its notes alone, and goes on', async () => {
  const { start, simulator, home } = await setUp(worker())
  const folds: Fold[] = []
  const waited: number[] = []
  const timer: Timer = (milliseconds, fire) => {
    const handle = setTimeout(() => {
      waited.push(milliseconds)
      fire()
    }, milliseconds)
    return () => clearTimeout(handle)
  }
  const plugins = [sessionMemory({ home, timer }), watching(folds)]
  const { ask, receipts, session, events } = await start({ tools: [readFileTool()], plugins })
  const prompt = 'Read 600 files and say when you are done. Never touch the file LICENSE.'
  expect(await ask(prompt)).toMatchObject({ reason: 'done' })

  expect(receipts.length).toBeGreaterThanOrEqual(4)
  expect(simulator.ledger.totals('main')).toMatchObject({ requests: 601, failed: 0 })
  expect(simulator.ledger.sources().toSorted()).toEqual(['main', 'session_memory'])
  // None needed a model call, and none had to wait until the limit.
  expect(receipts.map(({ rung, dollars }) => [rung, dollars.spent])).toEqual(receipts.map(() => ['notes', 0]))
  expect(waited).toEqual([])
  expect(events.some(({ type }) => type === 'cache-break')).toBe(false)

  for (const [index, { before, after, reason, lastTurn }] of folds.entries()) {
    const turn = Number(/covers up to turn (\d+)$/.exec(reason)?.[1])
    expect(receipts[index]?.checks).toEqual([{ name: 'coverage', ok: true, detail: `covers up to turn ${turn}` }])
    expect(JSON.stringify(after.rounds[0]?.content)).toContain(`They cover up to turn ${turn};`)
    // It has moved inside the one long loop of calls, and is not far behind.
    expect(turn).toBeGreaterThan(lastTurn - 40)
    const { covers } = before.state('session-memory', 'coverage') as { covers: Id }
    const uncovered = entriesAfter(before, covers)
    expect(uncovered.length).toBeGreaterThan(0)
    expect(shown(after, uncovered)).toEqual(shown(before, uncovered))
    expect(JSON.stringify(after.rounds)).toContain(prompt)
  }
  expect(folds).toHaveLength(receipts.length)
  expect(await session.command('memory session')).toMatch(/^Covers up to turn 5\d\d of 601\./)
})

it('takes a fold by notes back, and leaves what came back alone', async () => {
  const { start } = await setUp(worker())
  const { ask, receipts, session } = await start({ tools: [readFileTool()] })
  await ask('Read 160 files.')
  expect(receipts).toHaveLength(1)
  expect(session.view().rounds[0]?.content).toBeDefined()
  await session.undo({ force: true })
  expect(session.view().rounds.every(({ content }) => content === undefined)).toBe(true)
})

it('folds by its notes when the API says that it is too long', async () => {
  const { start, simulator } = await setUp(worker())
  simulator.faults.add({ kind: 'too-long', source: 'main', after: 60 })
  const { ask, receipts } = await start({ tools: [readFileTool()] })
  expect(await ask('Read 80 files.')).toMatchObject({ reason: 'done' })
  expect(receipts).toMatchObject([{ trigger: 'overflow', rung: 'notes' }])
})

it('goes on where thinking is bound to what came before it', async () => {
  const { start, simulator } = await setUp(worker(), { model: 'claude-opus-5-5' })
  const { ask, receipts, events } = await start({ tools: [readFileTool()] })
  expect(await ask('Read 200 files.')).toMatchObject({ reason: 'done' })
  expect(receipts.length).toBeGreaterThanOrEqual(1)
  expect(simulator.ledger.totals().failed).toBe(0)
  const thinking = events.flatMap((event) => (event.type === 'response' ? event.entry.content : []))
  expect(thinking.some(({ type }) => type === 'thinking')).toBe(true)
})
