import { expect, it } from 'vitest'
import type { Restored, Restorer } from '../../src/types/relief.js'
import { folding, type ReliefSessionOptions, reliefSession, words } from './relief-session.js'

const item = (what: string, count: number, more: Partial<Restored> = {}): Restored => ({
  what,
  text: words(count),
  status: 'live',
  ...more,
})

/** As many words as there is room for, and the count of those that are missing. */
const shorten =
  (count: number): NonNullable<Restored['shorten']> =>
  (tokens) => {
    const shown = Math.max(0, Math.floor(tokens / 2) - 10)
    return { text: `${words(shown)} and the file has the rest`, cut: `${shown} of ${count} words` }
  }

async function foldWith(restorers: readonly Restorer[], options: Partial<ReliefSessionOptions> = {}) {
  const session = await reliefSession({ window: 200_000, reliefs: [folding()], restorers, ...options })
  for (let turn = 0; turn < 10; turn++) await session.turn((session.threshold / 167_000) * 17_000)
  await session.relief.relieve('high', session)
  const edit = session.log.find((entry) => entry.kind === 'edit')
  if (edit?.kind !== 'edit' || !edit.receipt) throw new Error('Nothing was folded.')
  const { restored, leftOut = [] } = edit.receipt
  return { session, edit, restored, leftOut }
}

it('gives each restorer a budget of its own, under one ceiling of 45% of the threshold', async () => {
  const budgets: Record<string, number> = {}
  const restorer = (name: string, more: Partial<Restorer> = {}): Restorer => ({
    name,
    restore({ budget }) {
      budgets[name] = budget
      return []
    },
    ...more,
  })
  const all = [
    restorer('plan', { isFirst: true }),
    restorer('files', { budget: 50_000 }),
    restorer('own'),
    restorer('greedy', { budget: 1_000_000 }),
  ]
  const { session } = await foldWith(all)
  expect(session.threshold).toBe(179_000)
  expect(budgets).toEqual({ plan: 80_550, files: 50_000, own: 25_000, greedy: 80_550 })
  await foldWith(all, { window: 50_000 })
  expect(budgets).toMatchObject({ files: 12_500, own: 6_250 })
})

it('lets no restorer take more than its budget, and all together no more than the ceiling', async () => {
  const many = (name: string, budget: number): Restorer => ({
    name,
    budget,
    restore: () => Array.from({ length: 9 }, (_, index) => item(`${name}${index}`, 9_000)),
  })
  const { session, restored, leftOut } = await foldWith([
    many('files', 50_000),
    many('skills', 25_000),
    many('own', 30_000),
  ])
  const taken = (owner: string) =>
    restored.filter((each) => each.owner === owner).reduce((sum, { tokens }) => sum + tokens, 0)
  expect(taken('files')).toBeLessThanOrEqual(50_000)
  expect(taken('skills')).toBeLessThanOrEqual(25_000)
  const all = restored.reduce((sum, { tokens }) => sum + tokens, 0)
  expect(all).toBeLessThanOrEqual(session.threshold * 0.45)
  expect(all).toBeGreaterThan(session.threshold * 0.4)
  expect(restored.length + leftOut.length).toBe(27)
})

it('serves what binds the work first, the smallest of it before the rest, whatever else is live', async () => {
  const { restored, leftOut } = await foldWith(
    [
      { name: 'files', budget: 1_000_000, restore: () => [item('a.ts', 30_000)] },
      { name: 'plan', isFirst: true, restore: () => [item('plan', 52_000)] },
      { name: 'todos', isFirst: true, restore: () => [item('todos', 500), item('done', 500, { status: 'consumed' })] },
    ],
    {},
  )
  expect(restored.map(({ what }) => what)).toEqual(['todos', 'plan', 'done'])
  expect(leftOut).toMatchObject([{ what: 'a.ts', owner: 'files' }])
})

it('cuts what finds no room where it can be cut, and says so in the receipt', async () => {
  const plan = item('plan', 200_000, { shorten: shorten(200_000) })
  const { session, edit, restored, leftOut } = await foldWith([{ name: 'plan', isFirst: true, restore: () => [plan] }])
  expect(leftOut).toEqual([])
  expect(restored).toMatchObject([
    { what: 'plan', status: 'live', cut: expect.stringMatching(/^\d+ of 200000 words$/) },
  ])
  expect(restored[0]?.tokens).toBeLessThanOrEqual(session.threshold * 0.45)
  expect(JSON.stringify(edit.changes)).toContain('and the file has the rest')
  // What a restorer has cut itself is told as well.
  const cut = await foldWith([{ name: 'files', restore: () => [item('b.ts', 10, { cut: 'lines 1 to 2 of 9' })] }])
  expect(cut.restored).toMatchObject([{ what: 'b.ts', cut: 'lines 1 to 2 of 9' }])
})

it('names in the receipt what was left out, and why', async () => {
  const { restored, leftOut } = await foldWith([
    { name: 'large', restore: () => [item('all of it', 40_000)] },
    { name: 'deaf', restore: () => [item('no shorter', 40_000, { shorten: () => item('x', 40_000) })] },
    {
      name: 'torn',
      restore: () => [
        item('torn', 40_000, {
          shorten() {
            throw new Error('too short')
          },
        }),
      ],
    },
    { name: 'choosy', restore: () => [{ what: 'old.ts', why: 'only the newest comes back' }] },
    { name: 'empty', restore: () => [item('nothing', 0), item(7 as never, 10)] },
    {
      name: 'broken',
      restore() {
        throw new Error('no disk')
      },
    },
  ])
  expect(restored).toEqual([])
  expect(leftOut.map(({ owner, what, why }) => `${owner}: ${what}: ${why}`)).toEqual([
    'choosy: old.ts: only the newest comes back',
    'empty: nothing: it has no name, no text, or no status that is known',
    'empty: 7: it has no name, no text, or no status that is known',
    "broken: broken: Restorer 'broken' gave nothing: no disk",
    expect.stringMatching(/^large: all of it: it has [\d,]+ tokens, and there was room for 25,000$/),
    expect.stringMatching(/^deaf: no shorter: it has [\d,]+ tokens, and there was room for 25,000$/),
    expect.stringMatching(/^torn: torn: it has [\d,]+ tokens, and there was room for 25,000$/),
  ])
})
