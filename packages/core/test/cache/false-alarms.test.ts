import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { Block, Change } from '../../src/types/log.js'
import { type CachedSession, startCachedSession, words } from './cached-session.js'

const RUNS = Number(process.env.FUZZ_RUNS ?? 25)
const SEED = Number(process.env.FUZZ_SEED ?? 7)
// Every request goes over a socket: a slow machine gets the time it needs.
vi.setConfig({ testTimeout: 120_000 + 500 * RUNS })

type Step =
  | { readonly kind: 'ask'; readonly calls: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'replace' | 'rewind' | 'revert'; readonly choice: number }
  | { readonly kind: 'fold' | 'drop'; readonly choice: number; readonly length: number }
  | { readonly kind: 'system'; readonly choice: number }

const choice = fc.nat({ max: 40 })
const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ kind: fc.constant('ask' as const), calls: fc.constantFrom(0, 0, 1, 2, 12, 25) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 4, 5, 9) }) },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constantFrom('replace' as const, 'rewind' as const, 'revert' as const), choice }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('fold' as const, 'drop' as const),
        choice,
        length: fc.nat({ max: 2 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('system' as const), choice: fc.nat({ max: 2 }) }) },
  ),
  { minLength: 8, maxLength: 24 },
)

/** What somebody did since the last request: the only causes that a break may have. */
type Done = Set<'edit' | 'expired' | 'system'>

/** The server loses nothing here, so a miss that is blamed on it, or on the markers, is a false alarm. */
async function play(session: CachedSession, script: readonly Step[]): Promise<void> {
  const done: Done = new Set()
  let minutes = 0
  let isUndisturbed = true
  for (const [index, step] of script.entries()) {
    if (step.kind !== 'ask') isUndisturbed = false
    if (step.kind === 'wait') {
      session.simulator.clock.advance(step.minutes * 60_000)
      minutes += step.minutes
      if (minutes >= 5) done.add('expired')
    } else if (step.kind === 'system') {
      session.change({ system: ['rules', `place ${step.choice}`] })
      done.add('system')
    } else if (step.kind === 'ask') {
      const first = session.sendings.length
      await session.ask(`${words(700, `p${index}x`)} calls ${step.calls}`)
      for (const { found, prediction, usage } of session.sendings.slice(first)) {
        if (found) expect([...done]).toContain(found.cause)
        if (isUndisturbed && prediction) expect(usage.cacheRead).toBe(prediction.tokens)
        done.clear()
        isUndisturbed = true
      }
      minutes = 0
    } else {
      await session.conversation().edit({ owner: 'plugin', reason: step.kind, changes: changesOf(session, step) })
      if (step.kind !== 'rewind') done.add('edit')
    }
  }
}

function changesOf(session: CachedSession, step: Exclude<Step, { kind: 'ask' | 'wait' | 'system' }>): Change[] {
  const { rounds, edits } = session.conversation().projection.timeline
  if (step.kind === 'revert') {
    const edit = edits[step.choice % Math.max(1, edits.length)]
    return edit ? [{ kind: 'revert', edit: edit.entry.id }] : []
  }
  if (step.kind === 'replace') {
    const results = session.log.flatMap((entry) => (entry.kind === 'user' ? [entry] : []))
    const target = results[step.choice % Math.max(1, results.length)]
    const [block] = target?.content ?? []
    if (!target || !block) return []
    const content: Block = block.type === 'text' ? { type: 'text', text: 'cut' } : { ...block, content: '[cleared]' }
    return [{ kind: 'replace', target: { entry: target.id, block: 0 }, content: [content] }]
  }
  const first = step.choice % Math.max(1, rounds.length)
  const last = 'length' in step ? Math.min(rounds.length - 1, first + step.length) : rounds.length - 1
  const span = { from: rounds[first]?.entries[0]?.id ?? '', to: rounds[last]?.entries.at(-1)?.id ?? '' }
  if (step.kind === 'fold')
    return [{ kind: 'fold', span, content: [{ type: 'text', text: `Summary of ${span.from}.` }] }]
  return [{ kind: 'drop', span, ...(step.kind === 'drop' && { note: `Dropped ${span.from}.` }) }]
}

it('raises no alarm that nobody caused, whatever is done to a conversation', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      await play(await startCachedSession(), script)
    }),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  )
})
