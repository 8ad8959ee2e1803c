import { definePlugin, type Edit, type Plugin, type Session } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { workSession } from '../clear/work-session.js'
import { begin, say, work } from '../summary/summary-session.js'

const total = (session: Session) => session.view().tokens.total

/** Ways to fold by hand, by the flags that leave only them. */
const FOLDS = [
  ['a summary on the shared cache', {}],
  ['a digest', { 'compact.summary': false }],
] as const

describe.each(FOLDS)('%s', (_name, flags) => {
  it('has one size for the view, the price and the receipt', async () => {
    const worked = await work({ calls: 5 })
    const session = await begin(worked, { flags })
    for (const prompt of ['Read it.', 'Read on.']) await say(session, prompt)
    const before = total(session)
    const { edit, receipt } = (await session.compact()) as { readonly edit: Edit; readonly receipt: Edit['receipt'] }
    expect(receipt?.tokens).toEqual({ before, after: total(session) })
    expect(edit.price.freed).toBe(before - total(session))
    expect(total(session)).toBeLessThan(before / 2)
    await session.undo()
    expect(total(session)).toBe(before)
  })

  it('has it for a part of the view too', async () => {
    const worked = await work({ calls: 5, window: 100_000 })
    const session = await begin(worked, { flags })
    for (const prompt of ['Read it.', 'Read on.']) await say(session, prompt)
    const before = total(session)
    const from = session.view().rounds[3]?.span.from as string
    const { edit, receipt } = (await session.compact({ part: { from } })) as { edit: Edit; receipt: Edit['receipt'] }
    expect(receipt?.tokens).toEqual({ before, after: total(session) })
    expect(edit.price.freed).toBe(before - total(session))
  })
})

/** Looks at the view when reliefs are asked, and whenever an edit was accepted. */
function watching(seen: { before: number; readonly freed: (readonly [priced: number, measured: number])[] }): Plugin {
  return definePlugin({
    name: 'watching',
    setup: () => ({
      reliefs: [
        {
          name: 'watching',
          rung: 'erase',
          offer(view) {
            seen.before = view.tokens.total
            return undefined
          },
        },
      ],
      hooks: {
        ViewChanged({ edit, view }) {
          seen.freed.push([edit.price.freed, seen.before - view.tokens.total])
          seen.before = view.tokens.total
        },
      },
    }),
  })
}

it('has one size for what is cleared, too', async () => {
  const seen: Parameters<typeof watching>[0] = { before: 0, freed: [] }
  let time = 0
  const work = await workSession({
    calls: 9,
    result: (number) => `${number} ${'One page after the other is read. '.repeat(500)}`,
    session: { plugins: [compact(), watching(seen)], details: { effects: { now: () => time } } },
  })
  await work.run()
  time += 6 * 60_000
  await work.run('Go on.', 0)
  expect(seen.freed).toHaveLength(1)
  for (const [priced, measured] of seen.freed) {
    expect(priced).toBeGreaterThan(1_000)
    expect(priced).toBe(measured)
  }
})

it('has one size for what is snipped, and tells the model about as much', async () => {
  const seen: Parameters<typeof watching>[0] = { before: 0, freed: [] }
  const worked = await work({ calls: 2 })
  const session = await begin(worked, { plugins: [compact(), watching(seen)] })
  for (const prompt of ['Read it.', 'Read on.']) await say(session, prompt)
  seen.before = total(session)
  const answer = await session.command('snip', session.view().rounds[1]?.span.from)
  const [[priced, measured] = [0, 1]] = seen.freed
  expect(priced).toBe(measured)
  const told = Number(/about ([\d,]+) tokens/.exec(answer)?.[1]?.replaceAll(',', ''))
  expect(Math.abs(told / priced - 1)).toBeLessThan(0.02)
})
