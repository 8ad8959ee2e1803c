import type { Session, SessionEvent } from '@nacre/core'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { blocksOf, clearsIn, type EraseOptions, type Exchange, eraseSession, longText } from './erase-session.js'

vi.setConfig({ testTimeout: 120_000 + 2_000 * Number(process.env.FUZZ_RUNS ?? 0) })

const SEED = Number(process.env.FUZZ_SEED ?? 7)
const RUNS = Number(process.env.FUZZ_RUNS ?? 4)

describe('erasing beside the other layers', () => {
  it('asks for a summary with what the API clears left cleared, on all that is cached', async () => {
    const work = await eraseSession({ answers: () => 'No summary.' })
    const session = await work.start()
    await work.run(session, 11)
    const before = work.exchanges.at(-1) as Exchange
    await session.compact()
    const asked = work.exchanges.find(({ source }) => source !== 'main') as Exchange
    expect([asked.status, asked.body.compaction]).toEqual([200, undefined])
    expect(clearsIn(asked.body)).toEqual(clearsIn(before.body))
    expect(asked.read).toBeGreaterThanOrEqual(before.prompt)
    expect(clearsIn(before.body)).toBeDefined()
  })

  it('leaves its field out where the API itself is asked for a summary, which takes none', async () => {
    const work = await eraseSession({
      flags: { 'compact.server': true },
      answers: () => 'The session read parts of a program.',
    })
    const session = await work.start()
    await work.run(session, 11)
    expect(clearsIn((work.exchanges.at(-1) as Exchange).body)).toBeDefined()
    await session.compact()
    const asked = work.exchanges.filter(({ body }) => body.compaction !== undefined)
    expect(asked.map(({ status, body }) => [status, body.context_management])).toEqual([[200, undefined]])
  })

  it('comes before a fold: at the threshold the API clears, and nothing is folded', async () => {
    const work = await eraseSession({ compact: { policy: 'fidelity' } })
    const session = await work.start()
    await work.run(session, 20)
    const edits = work.events.flatMap((event) => (event.type === 'edit' ? [event.edit] : []))
    expect(edits.length).toBeGreaterThan(0)
    expect(new Set(edits.flatMap(({ changes }) => changes.map(({ kind }) => kind)))).toEqual(new Set(['erase']))
    const first = work.exchanges.findIndex(({ body }) => clearsIn(body))
    expect(work.exchanges[first - 1]?.prompt).toBeGreaterThan(44_000)
    expect(work.exchanges.every(({ status }) => status === 200)).toBe(true)
  })

  it('does not break the cache again and again for a little room', async () => {
    const work = await eraseSession({ words: 300, compact: { policy: 'fidelity' } })
    const session = await work.start()
    const cuts: number[] = []
    session.events.on('edit', ({ edit }) => {
      if (edit.changes[0]?.kind === 'erase') cuts.push(work.exchanges.length)
    })
    await work.run(session, 30, longText(0, 23_000))
    expect(work.exchanges.every(({ status }) => status === 200)).toBe(true)
    expect(cuts.length).toBeGreaterThan(0)
    for (const [index, cut] of cuts.entries()) expect(cut - (cuts[index - 1] ?? 0)).toBeGreaterThan(3)
  })

  it('ends with a fold over it: what is not there is not asked for', async () => {
    const work = await eraseSession({ answers: () => 'No summary.' })
    const session = await work.start()
    await work.run(session, 11)
    const { edit } = await session.compact()
    expect(edit?.receipt).toBeDefined()
    await work.run(session, 1, 'On.')
    const after = work.exchanges.at(-1) as Exchange
    expect([after.status, after.body.context_management]).toEqual([200, undefined])
    expect(after.applied).toEqual([])
  })
})

type Step =
  | { readonly kind: 'work'; readonly calls: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'undo'; readonly choice: number }
  | { readonly kind: 'compact' }

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('work' as const), calls: fc.nat({ max: 9 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(2, 6) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('undo' as const), choice: fc.nat({ max: 5 }) }) },
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'compact' }) },
  ),
  { minLength: 4, maxLength: 8 },
)

async function play(options: EraseOptions, script: readonly Step[]): Promise<void> {
  const work = await eraseSession({ ...options, answers: () => 'No summary.' })
  const session = await work.start()
  await work.run(session, 9)
  for (const step of script) {
    if (step.kind === 'wait') work.clock.advance(step.minutes * 60_000)
    else if (step.kind === 'undo') await undoOne(session, work.events, step.choice)
    else if (step.kind === 'compact') await session.compact()
    else {
      const events = await work.run(session, step.calls)
      expect(events.filter(({ type }) => type === 'recovery')).toEqual([])
      const last = work.exchanges.at(-1) as Exchange
      expect(last.status).toBe(200)
      expect(session.view().tokens.total).toBe(last.prompt + last.output)
      const shown = session.view()
      const erased = shown.rounds.flatMap(({ entries }) =>
        entries.flatMap(({ id, content }) =>
          content.filter(({ type }, block) => {
            return type === 'tool_result' && shown.shows({ entry: id, block }) === 'erased'
          }),
        ),
      )
      expect(clearedBy(last)).toBe(erased.length)
    }
  }
  const causes = new Set(session.breaks().map(({ cause }) => cause))
  expect([...causes].filter((cause) => cause !== 'edit' && cause !== 'expired')).toEqual([])
}

/** Takes one of the edits back; one that is not in force can not be. */
async function undoOne(session: Session, events: readonly SessionEvent[], choice: number): Promise<void> {
  const edits = events.flatMap((event) => (event.type === 'edit' ? [event.edit.id] : []))
  const edit = edits[choice % Math.max(1, edits.length)]
  if (edit !== undefined) await session.undo({ edit, force: true }).catch(() => undefined)
}

/** How many results the server has left out. */
function clearedBy({ applied, body }: Exchange): number {
  const uses = applied.find(({ type }) => type === 'clear_tool_uses_20250919')
  const deleted = blocksOf(body).flatMap(({ edits }) => (edits as unknown[] | undefined) ?? [])
  return Number(uses?.cleared_tool_uses ?? 0) + deleted.length
}

describe('whatever is done to a session', () => {
  it.each<[string, EraseOptions]>([
    ['by the API', { window: 40_000 }],
    [
      'from the cache',
      { model: 'claude-sonnet-4-6', window: 60_000, cacheEdits: true, flags: { 'compact.cached': true }, words: 1_000 },
    ],
  ])('the view says what the server leaves out (%s), and the cache holds no mystery', async (_name, options) => {
    await fc.assert(
      fc.asyncProperty(steps, (script) => play(options, script)),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    )
  })
})
