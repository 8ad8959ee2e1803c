import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldDraft } from '../../src/fold/fold-draft.js'
import { resolveModel } from '../../src/models/resolve-model.js'
import type { Block, Rung, Span } from '../../src/types/log.js'
import type { Draft, Need, Offer, Pressure, Relief, Restorer } from '../../src/types/relief.js'
import type { View } from '../../src/types/view.js'
import { illegalities } from '../view/oracle.js'
import { clearing, reliefSession, text, words } from './relief-session.js'

type Kind = 'good' | 'throws' | 'throws-late' | 'lies' | 'void' | 'huge' | 'illegal' | 'rewinds' | 'reverts' | 'nothing'
interface Behaviour {
  readonly rung: Rung
  readonly kind: Kind
  readonly from: number
  readonly kept: number
  readonly dollars: number
}

const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  rung: fc.constantFrom<Rung>('erase', 'clear', 'notes', 'summary', 'digest'),
  kind: fc.constantFrom<Kind>(
    'good',
    'good',
    'throws',
    'throws-late',
    'lies',
    'void',
    'huge',
    'illegal',
    'rewinds',
    'reverts',
    'nothing',
  ),
  from: fc.nat({ max: 6 }),
  kept: fc.nat({ max: 4 }),
  dollars: fc.nat({ max: 3 }),
})

type Step =
  | { readonly work: number }
  | { readonly turn: number }
  | { readonly climb: Pressure | 'manual' | 'dry' }
  | { readonly propose: Behaviour }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ work: fc.constantFrom(10, 400, 2_500) }) },
  { weight: 2, arbitrary: fc.record({ turn: fc.constantFrom(10, 400, 2_500) }) },
  { weight: 3, arbitrary: fc.record({ climb: fc.constantFrom('idle', 'high', 'overflow', 'manual', 'dry') }) },
  { weight: 1, arbitrary: fc.record({ propose: behaviour }) },
)

function spanOf({ rounds }: View, { from, kept }: Behaviour): Span {
  const first = rounds[Math.min(from, rounds.length - 1)]
  const last = rounds[Math.max(from, rounds.length - 1 - kept)]
  return { from: first?.span.from ?? 'none', to: last?.span.to ?? 'none' }
}

function draftOf(view: View, behaviour: Behaviour): Draft {
  const span = spanOf(view, behaviour)
  const fold = (content: readonly Block[]): Draft => ({ changes: [{ kind: 'fold', span, content }], reason: 'fold' })
  switch (behaviour.kind) {
    case 'throws-late':
      throw new Error('no model')
    case 'huge':
      return fold([text(words(30_000))])
    case 'illegal':
      return fold([{ type: 'tool_result', tool_use_id: 'nobody', content: 'x' }])
    case 'rewinds':
      return { changes: [{ kind: 'drop', span }], reason: 'rewind' }
    case 'reverts':
      return { changes: [{ kind: 'revert', edit: 'e9' }], reason: 'revert' }
    case 'nothing':
      return { changes: [], reason: 'nothing' }
    case 'lies':
      return { changes: [{ kind: 'insert', note: { text: words(500), trust: 'content' } }], reason: 'lie' }
    default:
      return foldDraft(view, span, 'A summary of it.')
  }
}

function reliefOf(behaviour: Behaviour, index: number): Relief {
  const { rung, kind, dollars } = behaviour
  return {
    name: `${rung}-${kind}-${index}`,
    rung,
    offer(view): Offer | undefined {
      if (kind === 'throws') throw new Error('no offer')
      const span = kind === 'void' ? { from: 'x', to: 'y' } : spanOf(view, behaviour)
      if (kind === 'good' && rung === 'clear')
        return clearing(dollars, behaviour.kept).offer(view, NEED) as Offer | undefined
      return { span, frees: kind === 'lies' ? 1_000_000 : 3_000, dollars, draft: () => draftOf(view, behaviour) }
    },
  }
}

const NEED: Need = {
  pressure: 'high',
  trigger: 'auto',
  foldable: () => undefined,
  tokens: (estimate) => estimate,
  scale: 1,
  excess: 0,
  target: 0,
  model: resolveModel('claude-opus-5-5'),
  pace: { tokensPerTurn: 100, isCold: false, turnsExpected: 50, ttl: '5m', idle: 0 },
  tool: () => undefined,
  signal: new AbortController().signal,
}
const restorers: Restorer[] = [
  {
    name: 'files',
    restore: () => [
      { what: 'a', text: words(400), status: 'reference' },
      { what: 'b', text: words(9_000), status: 'live' },
    ],
  },
  { name: 'broken', restore: () => Promise.reject(new Error('no disk')) },
  { name: 'odd', restore: () => undefined as never },
]

it('keeps the rendering legal and refused drafts without a trace, whatever reliefs do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(behaviour, { minLength: 1, maxLength: 5 }),
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.boolean(),
      async (behaviours, steps, notes) => {
        const session = await reliefSession({
          reliefs: behaviours.map(reliefOf),
          restorers,
          pace: { turnsExpected: 200 },
          hooks: notes ? { PostCompact: (_event, { note }) => note({ text: 'noted', trust: 'runtime' }) } : {},
        })
        for (let turn = 0; turn < 3; turn++) await session.turn(2_500)
        for (const each of steps) {
          const before = {
            messages: session.messages(),
            total: session.view().tokens.total,
            events: session.events.length,
            log: session.log.length,
          }
          if ('turn' in each) await session.turn(each.turn)
          else if ('work' in each) await session.work(each.work)
          else if ('propose' in each) await session.relief.install('x', safely(session.view(), each.propose), 'auto')
          else if (each.climb === 'manual' || each.climb === 'dry') {
            await session.relief.compact({ dryRun: each.climb === 'dry', signal: session.signal })
          } else
            expect(await session.relief.relieve(each.climb, session)).toBe(session.view().tokens.total < before.total)
          expect(illegalities(session.messages())).toEqual([])
          if ('turn' in each || 'work' in each) continue
          const told = session.events.slice(before.events)
          if (told.some(({ type }) => type === 'edit')) continue
          expect(session.messages()).toEqual(before.messages)
          const added = session.log.slice(before.log).map(({ kind }) => kind)
          expect(added.filter((kind) => kind !== 'state' && kind !== 'notice')).toEqual([])
          if ('climb' in each && each.climb === 'dry') expect(added).toEqual([])
        }
        const told = session.events.flatMap((event) => (event.type === 'edit' ? [event.edit.id] : []))
        expect(session.log.flatMap((entry) => (entry.kind === 'edit' ? [entry.id] : []))).toEqual(told)
      },
    ),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 80), seed: Number(process.env.FUZZ_SEED ?? 7) },
  )
})

function safely(view: View, behaviour: Behaviour): Draft {
  return draftOf(view, behaviour.kind === 'throws-late' ? { ...behaviour, kind: 'good' } : behaviour)
}
