import { scripted } from '@nacre/simulator'
import { expect, it } from 'vitest'
import { foldDraft } from '../../src/fold/fold-draft.js'
import type { SessionEvent } from '../../src/types/events.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { CompactPlan, Draft, Part } from '../../src/types/relief.js'
import type { View } from '../../src/types/view.js'
import { eventsOf, readFile, setUp } from './setup.js'

const call = (path: string) => ({ type: 'tool_use' as const, name: 'read_file', input: { path } })
const text = (words: string) => [{ type: 'text', text: words }]
const plain = (body: string) => body.replace(/,"cache_control":\{"type":"ephemeral"\}/g, '')
const messagesOf = (body: string) => JSON.stringify((JSON.parse(plain(body)) as { messages: unknown[] }).messages)

type Summarise = (plan: CompactPlan, view: View) => Promise<string>

/** Folds all answered rounds with what `summarise` says. */
function folding(summarise: Summarise, parts: (Part | undefined)[] = []) {
  return definePlugin({
    name: 'folding',
    setup: () => ({
      reliefs: [
        {
          name: 'folding',
          rung: 'summary',
          offer(view, need) {
            parts.push(need.part)
            const [first, last] = [view.rounds[0], view.rounds.at(-1)]
            if (!first || !last || need.pressure === 'idle') return undefined
            const span = { from: first.span.from, to: last.span.to }
            const draft = async (plan: CompactPlan): Promise<Draft> =>
              foldDraft(view, span, await summarise(plan, view), { trigger: plan.trigger })
            return { span, frees: 1_000, dollars: 0, draft }
          },
        },
      ],
    }),
  })
}

const forked: Summarise = async ({ fork }) =>
  (
    await fork({
      source: 'compact',
      extends: 'view',
      prompt: text('Sum up.'),
      maxTurns: 1,
      allow: () => false,
    })
  ).text

it('extends the request that would be sent next to the byte, results and all, and writes nothing to the cache', async () => {
  let turns = 0
  const { start, simulator, exchanges } = await setUp(
    scripted(({ source }) => (source === 'compact' ? 'A summary.' : turns++ < 3 ? [call('a.ts')] : 'Done.')),
  )
  const entries: { input: number; read: number; write5m: number }[] = []
  simulator.observe(({ entry }) => entries.push(entry))
  const session = await start({ plugins: [folding(forked)], tools: [readFile] })
  await eventsOf(session.query('Go on. '.repeat(300)))
  const last = exchanges.at(-1)?.body as string
  const sent = entries.at(-1)
  const outcome = await session.compact()
  expect(outcome).toMatchObject({ receipt: { rung: 'summary', trigger: 'manual' } })
  const asked = exchanges.at(-1)?.body as string
  expect(messagesOf(asked).startsWith(messagesOf(last).slice(0, -1))).toBe(true)
  expect(asked).toContain('Sum up.')
  expect(asked).not.toContain('still running')
  const { read, write5m, failed } = simulator.ledger.totals('compact')
  expect({ failed, write5m }).toEqual({ failed: 0, write5m: 0 })
  expect(read).toBeGreaterThanOrEqual((sent?.input ?? 0) + (sent?.read ?? 0) + (sent?.write5m ?? 0))
})

it('asks with messages of its own, without tools, and accounts for it', async () => {
  const { start, simulator, exchanges } = await setUp(
    scripted(({ source }) => (source === 'compact' ? 'A plain summary.' : 'Done.')),
  )
  const seen: string[] = []
  const summarise: Summarise = async ({ ask, messages }) => {
    const words = messages().flatMap(({ blocks }) => blocks.map(({ block }) => String(block.text)))
    const { text: said, stop } = await ask({
      source: 'compact',
      system: 'You sum up.',
      messages: [{ role: 'user', content: words.join('\n') }],
      maxTokens: 2_000,
    })
    seen.push(said, stop)
    return said
  }
  const session = await start({ plugins: [folding(summarise)], tools: [readFile] })
  await eventsOf(session.query('Tell me. '.repeat(300)))
  await session.compact()
  expect(seen).toEqual(['A plain summary.', 'end_turn'])
  const body = JSON.parse(exchanges.at(-1)?.body as string)
  expect(body).toMatchObject({ max_tokens: 2_000, system: [{ text: 'You sum up.' }] })
  expect(body).not.toHaveProperty('tools')
  expect(session.cost('compact').dollars).toBeCloseTo(simulator.ledger.totals('compact').dollars, 10)
})

it('tries again after what passes by itself, and tells how much has come', async () => {
  const { start, simulator } = await setUp(
    scripted(({ source }) => (source === 'compact' ? 'Long. ' : 'Done. ').repeat(1_000)),
  )
  const events: SessionEvent[] = []
  const summarise: Summarise = async ({ ask }) => {
    await ask({ source: 'compact', messages: [{ role: 'user', content: 'Sum up.' }] })
    return 'A summary.'
  }
  const session = await start({ plugins: [folding(summarise)] })
  await eventsOf(session.query('Tell me.'))
  session.events.on('event', (event) => events.push(event))
  simulator.faults.add({ kind: 'overloaded', source: 'compact' })
  expect(await session.compact()).toHaveProperty('edit')
  const progress = events.flatMap((event) => (event.type === 'fork-progress' ? [event.characters] : []))
  expect(progress[0]).toBe(0)
  expect(progress.length).toBeGreaterThan(3)
  expect(progress).toEqual([...progress].sort((a, b) => a - b))
  expect(events.some((event) => event.type === 'recovery' && event.kind === 'retry')).toBe(true)
})

it('tells the end of what was asked beside the conversation, also where no answer came', async () => {
  const { start, simulator } = await setUp(scripted(() => 'Done.'))
  const summarise: Summarise = async ({ ask }) => {
    await ask({ source: 'compact', messages: [{ role: 'user', content: 'Sum up.' }] })
    return 'A summary.'
  }
  const session = await start({ plugins: [folding(summarise)] })
  await eventsOf(session.query('Tell me.'))
  const events: SessionEvent[] = []
  session.events.on('event', (event) => events.push(event))
  simulator.faults.add({ kind: 'spend-cap', source: 'compact' })
  expect(await session.compact()).toHaveProperty('refused')
  expect(events.filter(({ type }) => type.startsWith('fork-'))).toEqual([
    { type: 'fork-progress', source: 'compact', characters: 0 },
    { type: 'fork-end', source: 'compact' },
  ])
})

it('hands on the part that a person wants folded', async () => {
  const { start } = await setUp(scripted(() => 'Done.'))
  const parts: (Part | undefined)[] = []
  const session = await start({ plugins: [folding(async () => 'A summary.', parts)] })
  await eventsOf(session.query('Tell me. '.repeat(300)))
  const from = session.view().rounds[0]?.span.from as string
  await session.compact({ part: { from }, dryRun: true })
  expect(parts.at(-1)).toEqual({ from })
})

it('says in a receipt about how large the next request is', async () => {
  let turns = 0
  const { start } = await setUp(
    scripted(({ source }) =>
      source === 'compact' ? `A summary. ${'And more. '.repeat(800)}` : turns++ < 30 ? [call('a.ts')] : 'Done.',
    ),
  )
  const session = await start({ plugins: [folding(forked)], tools: [readFile] })
  await eventsOf(session.query('Go on.'))
  const outcome = await session.compact()
  if ('refused' in outcome) throw new Error(outcome.refused)
  const events = await eventsOf(session.query('And on.'))
  const sizes = events.flatMap((event) => (event.type === 'response' ? [event.entry.usage] : []))
  const [next = 0] = sizes.map(({ input, cacheRead, cacheWrite5m }) => input + cacheRead + cacheWrite5m)
  expect(outcome.receipt.tokens.after / next).toBeGreaterThan(0.75)
  expect(outcome.receipt.tokens.after / next).toBeLessThan(1.25)
})
