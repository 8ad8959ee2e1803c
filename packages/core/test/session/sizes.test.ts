import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import type { Session } from '../../src/session/types.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { Edit } from '../../src/types/log.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { Need } from '../../src/types/relief.js'
import { folding } from '../relief/folding.js'
import { eventsOf, setUp } from './setup.js'

/** Clears the first result when it is asked to. */
const clearing = definePlugin({
  name: 'clearing',
  setup: () => ({
    commands: [
      {
        name: 'clear-first',
        help: 'Clears the first result.',
        async run(_args, { propose, view }) {
          const entry = view()
            .rounds.flatMap(({ entries }) => entries)
            .find(isResult)
          const target = { entry: entry?.id ?? '', block: 0 }
          const content = [{ ...entry?.content[0], type: 'tool_result', content: '(cleared)' }]
          const done = await propose({ reason: 'asked', changes: [{ kind: 'replace', target, content }] })
          return 'refused' in done ? done.refused : done.id
        },
      },
    ],
  }),
})

function isResult({ content }: { readonly content: readonly { readonly type: string }[] }): boolean {
  return content[0]?.type === 'tool_result'
}

/** A session whose model has answered often enough to be calibrated. */
async function workedOn(...plugins: Parameters<typeof definePlugin>[0][]) {
  const model = scripted(({ messages }) => {
    const isAnswered = JSON.stringify(messages.at(-1)).includes('tool_result')
    const call = { type: 'tool_use' as const, name: 'read_file', input: { path: `src/${messages.length}.ts` } }
    return isAnswered ? 'It is read.' : [call]
  })
  const setup = await setUp(model)
  const store = memoryStore()
  const session = await setup.start({ store, plugins: [folding, clearing, ...plugins], open: { id: 'one' } })
  for (let turn = 0; turn < 5; turn++) await eventsOf(session.query(`Read file ${turn}. ${'word '.repeat(40)}`))
  return { ...setup, store, session }
}

const total = (session: Session) => session.view().tokens.total

async function lastEdit(session: Session): Promise<Edit> {
  const edits: Edit[] = []
  for await (const entry of (await session.inspect()).entries()) if (entry.kind === 'edit') edits.push(entry)
  return edits.at(-1) as Edit
}

describe('the view, the price and the receipt', () => {
  it('have one size after a fold, which the next count is near to', async () => {
    const { session } = await workedOn()
    const before = total(session)
    const { receipt, edit } = (await session.compact()) as { receipt: NonNullable<Edit['receipt']>; edit: Edit }
    expect(receipt.tokens).toEqual({ before, after: total(session) })
    expect(edit.price.freed).toBe(before - total(session))
    const expected = total(session)
    const usages = (await eventsOf(session.query('Go on.'))).flatMap((event) =>
      event.type === 'usage' ? [event.usage] : [],
    )
    const [first] = usages
    const counted = (first?.input ?? 0) + (first?.cacheRead ?? 0) + (first?.cacheWrite5m ?? 0)
    // Dense results are left, and a prompt has been added: it is an estimate, and no worse than one.
    expect(Math.abs(counted - expected)).toBeLessThan(counted * 0.2)
  })

  it('have one size after a clear and after its undo', async () => {
    const { session } = await workedOn()
    const before = total(session)
    await session.command('clear-first')
    const { price } = await lastEdit(session)
    expect(price.freed).toBeGreaterThan(0)
    expect(total(session)).toBe(before - price.freed)
    await session.undo()
    expect(total(session)).toBe(before)
  })

  it('have one size when a fold is taken back behind an answer, near to what the server counts then', async () => {
    const { session } = await workedOn()
    const { edit } = (await session.compact()) as { edit: Edit }
    await eventsOf(session.query('Go on.'))
    const before = total(session)
    await session.undo({ edit: edit.id })
    expect(total(session)).toBe(before + edit.price.freed)
    expect((await lastEdit(session)).price.freed).toBe(-edit.price.freed)
    const expected = total(session)
    const [usage] = (await eventsOf(session.query('And on.'))).flatMap((event) =>
      event.type === 'usage' ? [event.usage] : [],
    )
    const counted = (usage?.input ?? 0) + (usage?.cacheRead ?? 0) + (usage?.cacheWrite5m ?? 0)
    expect(Math.abs(counted - expected)).toBeLessThan(counted * 0.15)
  })

  it('are the same after a resume', async () => {
    const { session, store, start } = await workedOn()
    await session.compact()
    const size = total(session)
    await session.close()
    const again = await start({ store, plugins: [folding, clearing], open: { resume: 'one' } })
    expect(total(again)).toBe(size)
  })

  it('price what is written again in tokens of the model', async () => {
    const { session } = await workedOn()
    await session.command('clear-first')
    const { price } = await lastEdit(session)
    const { tokens } = session.view()
    const rewritten = tokens.total - (price.breaksAt ?? 0)
    const dollars = (rewritten * (await session.inspect()).model.price(0).write5m) / 1_000_000
    expect(price.dollars).toBeGreaterThan(dollars * 0.7)
    expect(price.dollars).toBeLessThan(dollars * 1.3)
  })
})

describe('a relief', () => {
  it('is told who asks, what may be folded, and how large things are', async () => {
    const needs: Need[] = []
    const asking = definePlugin({
      name: 'asking',
      setup: () => ({
        reliefs: [
          {
            name: 'asking',
            rung: 'notes',
            offer(_view, need) {
              needs.push(need)
              return undefined
            },
          },
        ],
      }),
    })
    const { session } = await workedOn(asking)
    const { rounds, tokens } = session.view()
    const second = rounds[2]?.span.from as string
    expect(needs.map(({ trigger }) => trigger)).toEqual(needs.map(() => 'auto'))
    // The last round stays while it is small, unless a person asks.
    expect(needs.at(-1)?.foldable()).toEqual({ from: rounds[0]?.span.from, to: rounds.at(-2)?.span.to })
    await session.compact({ dryRun: true })
    const byHand = needs.at(-1)
    expect(byHand?.trigger).toBe('manual')
    expect(byHand?.foldable()).toEqual({ from: rounds[0]?.span.from, to: rounds.at(-1)?.span.to })
    expect(byHand?.tokens(1_000)).toBe(Math.ceil(1_000 * tokens.factor))
    expect(byHand?.scale).toBe(tokens.scale)
    expect(session.view().roundsIn({ from: second, to: rounds[3]?.span.to as string })).toHaveLength(2)
    expect(session.view().roundsIn({ from: 'nowhere', to: second })).toEqual([])
  })

  it('sees what a person has brought back', async () => {
    const { session } = await workedOn()
    const span = session.view().rounds[1]?.span as { from: string; to: string }
    const { edit } = (await session.compact()) as { edit: Edit }
    await session.undo({ edit: edit.id })
    const result = session
      .view()
      .rounds.flatMap(({ entries }) => entries)
      .find(isResult)
    expect(session.view().isPinned(span)).toBe(true)
    expect(session.view().isPinned({ entry: result?.id ?? '', block: 0 })).toBe(true)
    const last = session.view().rounds.at(-1)?.span as { from: string; to: string }
    expect(session.view().isPinned(last)).toBe(false)
  })
})
