import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { Edit, Entry } from '../../src/types/log.js'
import { createScriptedSession, plain, renderLog, type Step } from './log-script.js'
import { illegalities, visibleEntries } from './oracle.js'

const small = fc.nat({ max: 3 })
const any = fc.nat({ max: 60 })
const turn: fc.Arbitrary<Step> = fc.record({
  kind: fc.constant('turn' as const),
  calls: fc.nat({ max: 3 }),
  thinks: fc.boolean(),
  notes: fc.nat({ max: 2 }),
})
const edit: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('replace' as const, 'erase' as const), choice: any }),
  fc.record({
    kind: fc.constantFrom('fold' as const, 'drop' as const),
    from: any,
    length: small,
    notes: fc.nat({ max: 2 }),
  }),
  fc.record({ kind: fc.constant('rewind' as const), from: any }),
  fc.record({ kind: fc.constant('revert' as const), choice: any }),
)
const steps = fc.array(fc.oneof({ weight: 3, arbitrary: turn }, { weight: 2, arbitrary: edit }), {
  minLength: 1,
  maxLength: 40,
})
const RUNS = Number(process.env.FUZZ_RUNS ?? 300)
const SEED = Number(process.env.FUZZ_SEED ?? 7)
// Many sequences: a slow machine gets the time it needs.
vi.setConfig({ testTimeout: 120_000 + 500 * RUNS })

it('refuses to redo a rewind once an answer stands behind it', () => {
  const session = createScriptedSession(false)
  session.step({ kind: 'turn', calls: 1, thinks: false, notes: 0 })
  session.step({ kind: 'rewind', from: 0 })
  session.step({ kind: 'revert', choice: 0 })
  session.step({ kind: 'turn', calls: 0, thinks: false, notes: 0 })
  expect(session.step({ kind: 'revert', choice: 1 })).toBeUndefined()
  expect(illegalities(plain(session.rendering()))).toEqual([])
})

describe('any sequence of accepted edits', () => {
  it.each([
    [true, undefined],
    [false, undefined],
    [true, 'deleted'],
    [false, 'named'],
  ] as const)(
    'renders step by step what it renders from scratch, and always legally (bound: %s, erasing: %s)',
    async (isBound, erasing) => {
      await fc.assert(
        fc.property(steps, (script) => {
          const session = createScriptedSession(isBound, erasing)
          for (const step of script) {
            session.step(step)
            const messages = plain(session.rendering())
            expect(illegalities(messages)).toEqual([])
            const anew = renderLog(session.log, isBound, erasing)
            expect(messages).toEqual(plain(anew))
            expect(session.rendering().tokens).toBe(anew.tokens)
          }
        }),
        { numRuns: RUNS, seed: SEED },
      )
    },
  )

  it('shows exactly the entries that no span in force hides', async () => {
    await fc.assert(
      fc.property(steps, (script) => {
        const session = createScriptedSession(false)
        for (const step of script) session.step(step)
        const shown = new Set(
          session.rendering().messages.flatMap(({ blocks }) => blocks.flatMap(({ ref }) => ref?.entry ?? [])),
        )
        expect(shown).toEqual(new Set(visibleEntries(session.log).map(({ id }) => id)))
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })

  it.each([
    [0, undefined],
    [5, undefined],
    [5, 'deleted'],
    [5, 'named'],
  ] as const)(
    'is undone to what the log without the edit gives, %i turns later (erasing: %s)',
    async (later, erasing) => {
      await fc.assert(
        fc.property(steps, any, (script, choice) => {
          const session = createScriptedSession(true, erasing)
          for (const step of script) session.step(step)
          for (let turns = 0; turns < later; turns++)
            session.step({ kind: 'turn', calls: turns % 2, thinks: true, notes: 0 })
          const edits = session.log.filter((entry): entry is Edit => entry.kind === 'edit')
          const target = edits[choice % Math.max(1, edits.length)]
          if (!target) return
          const undo = session.step({ kind: 'revert', choice: edits.indexOf(target) })
          if (!undo) return
          const without: Entry[] = session.log.filter((entry) => entry !== target && entry !== undo)
          const anew = renderLog(without, true, erasing)
          expect(plain(session.rendering())).toEqual(plain(anew))
          expect(session.rendering().tokens).toBe(anew.tokens)
        }),
        { numRuns: RUNS, seed: SEED },
      )
    },
  )
})
