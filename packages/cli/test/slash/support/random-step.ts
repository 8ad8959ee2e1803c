import fc from 'fast-check'
import { MODEL, OTHER_MODEL } from './open-for-test.js'

/** Something that a person or a bad day does to a session. */
export type Step =
  | { readonly kind: 'ask'; readonly files: number }
  | { readonly kind: 'fault'; readonly fault: 'overloaded' | 'cut' | 'stream-error'; readonly after: number }
  | { readonly kind: 'interrupt'; readonly files: number; readonly after: number }
  | { readonly kind: 'line'; readonly line: string }
  | { readonly kind: 'redo' }
  | { readonly kind: 'rewind' | 'compact from' | 'compact upto'; readonly place: number }
  | { readonly kind: 'stop compacting' }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'reopen' }

const LINES = [
  '/compact',
  '/compact Keep the names.',
  '/compact dry',
  '/compact dry',
  '/compact use',
  '/compact use',
  '/undo',
  '/undo',
  '/undo force',
  '/clear',
  `/model ${OTHER_MODEL}`,
  `/model ${MODEL}`,
  '/flags compact.clear off',
  '/flags session-memory off',
  '/flags session-memory reset',
  '/flags compact.summary off',
  '/flags compact.summary reset',
]

const files = fc.constantFrom(0, 0, 1, 2, 4, 9)
const place = fc.nat({ max: 5 })
const steps: readonly (readonly [weight: number, arbitrary: fc.Arbitrary<Step>])[] = [
  [6, fc.record({ kind: fc.constant('ask' as const), files })],
  [
    2,
    fc.record({
      kind: fc.constant('fault' as const),
      fault: fc.constantFrom('overloaded' as const, 'cut' as const, 'stream-error' as const),
      after: fc.nat({ max: 3 }),
    }),
  ],
  [1, fc.record({ kind: fc.constant('interrupt' as const), files, after: fc.nat({ max: 4 }) })],
  [7, fc.record({ kind: fc.constant('line' as const), line: fc.constantFrom(...LINES) })],
  [1, fc.constant({ kind: 'redo' as const })],
  [
    2,
    fc.record({
      kind: fc.constantFrom('rewind' as const, 'compact from' as const, 'compact upto' as const),
      place,
    }),
  ],
  [1, fc.constant({ kind: 'stop compacting' as const })],
  [1, fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 4, 6) })],
  [1, fc.constant({ kind: 'reopen' as const })],
]

/** What happens to a session, in some order; it begins with something to work on. */
export const randomSteps: fc.Arbitrary<readonly Step[]> = fc
  .array(fc.oneof(...steps.map(([weight, arbitrary]) => ({ weight, arbitrary }))), { minLength: 6, maxLength: 18 })
  .map((some) => [{ kind: 'ask', files: 4 }, ...some])
