import type { ReliefDecision } from '@nacre/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Call, digestSession } from './digest-session.js'

interface Work {
  readonly name: string
  /** Of the window. */
  readonly share: number
  readonly isError: boolean
  readonly words: string
}

interface Turn {
  readonly share: number
  readonly rounds: readonly (readonly Work[])[]
}

const words = fc.constantFrom(
  'lorem ipsum ',
  'x\n',
  '4711 ',
  '{"a":[1,2]},\n',
  'src/a/b.ts:12 failed\n',
  'Größe 漢字 🦪 ',
)
const work: fc.Arbitrary<Work> = fc.record({
  name: fc.constantFrom('Read', 'Edit', 'Bash', 'Odd'),
  share: fc.oneof(
    { weight: 6, arbitrary: fc.double({ min: 0, max: 0.1, noNaN: true }) },
    fc.constantFrom(0.3, 0.7, 1.5),
  ),
  isError: fc.boolean(),
  words,
})
const turn: fc.Arbitrary<Turn> = fc.record({
  share: fc.double({ min: 0, max: 0.06, noNaN: true }),
  rounds: fc.array(fc.array(work, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
})
const job = fc.record({
  window: fc.constantFrom(4_000, 6_000, 12_000, 24_000),
  turns: fc.array(turn, { minLength: 1, maxLength: 5 }),
})

/** About so many tokens of some words. */
function text(sample: string, tokens: number): string {
  return sample.repeat(Math.max(1, Math.ceil((tokens * 3) / sample.length)))
}

function callOf({ name, share, isError, words: sample }: Work, window: number): Call {
  const input = name === 'Bash' ? { command: text(sample, 40) } : { file_path: text(sample, 10), old: text(sample, 20) }
  const content = [{ type: 'text', text: text(sample, share * window) }]
  return { name, input, result: { content, ...(isError && { isError: true as const }) } }
}

it('is accepted whenever there is something to fold, at any size, again and again', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(job, async ({ window, turns }) => {
      const test = await digestSession({ window })
      const decisions: ReliefDecision[] = []
      test.session.events.on('relief', ({ decision }) => decisions.push(decision))
      for (const [number, { share, rounds }] of turns.entries()) {
        const prompt = `Wish ${number}: ${text('please ', share * window)}`
        await test.say(prompt, ...rounds.map((calls) => calls.map((each) => callOf(each, window))))
        const { tokens, rounds: shown } = test.session.view()
        expect(JSON.stringify(shown)).toContain(prompt.trim())
        expect(tokens.total).toBeLessThan(tokens.window)
      }
      const folds = decisions.filter(({ rung }) => rung === 'digest')
      expect(folds.filter(({ verdict }) => verdict !== 'taken')).toEqual([])
      expect(test.setup.requests.filter(({ status }) => status !== 200)).toEqual([])
      taken += folds.length
    }),
    { seed: 11, numRuns: 15 },
  )
  expect(taken).toBeGreaterThan(15)
})
