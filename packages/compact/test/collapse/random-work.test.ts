import type { ReplyBlock } from '@nacre/simulator'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { collapsing, foldsOf, output, records } from './collapsing.js'

interface Turn {
  /** Sizes of the results, response by response. */
  readonly calls: readonly number[]
  readonly prompt: string
}

const TURN = fc.record<Turn>({
  calls: fc.array(fc.constantFrom(50, 400, 1_500, 3_000), { maxLength: 6 }),
  prompt: fc.constantFrom('yes', 'No tabs.\n  Ever', 'Look at src/a.ts', 'and  again\t'),
})

it('whatever the work, every request is taken, the last prompt is whole, and every prompt is in view or in the log', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(TURN, { minLength: 8, maxLength: 14 }), fc.boolean(), async (turns, isAnswered) => {
      let left: number[] = []
      let number = 0
      const sizes: number[] = []
      const tool = output(0)
      const all = await collapsing(
        (turn) => {
          if (turn.source !== 'main') return isAnswered ? records(turn) : 'No.'
          const size = left.shift()
          if (size === undefined) return ['That is all.']
          sizes.push(size)
          const call: ReplyBlock = { type: 'tool_use', name: 'Run', id: `toolu_${++number}`, input: { number } }
          return number % 2 ? [`Step ${number}.`, call] : [call]
        },
        {
          session: {
            tools: [
              {
                ...tool,
                run: () => ({ content: [{ type: 'text', text: 'word '.repeat((sizes.shift() ?? 0) / 1.3) }] }),
              },
            ],
          },
        },
      )
      for (const [index, { calls, prompt }] of turns.entries()) {
        left = [...calls]
        const said = `${index}: ${prompt}`
        expect((await all.ask(said)).at(-1)).toMatchObject({ type: expect.stringMatching(/^(end|relief)$/) })
        const body = all.requests.findLast(({ source }) => source === 'main')?.body ?? ''
        expect(body).toContain(JSON.stringify(said).slice(1, -1))
      }
      expect(new Set(all.requests.map(({ status }) => status))).toEqual(new Set([200]))
      const shown = JSON.stringify(all.session.view().rounds)
      for (const [index, { prompt }] of turns.entries()) {
        const text = `${index}: ${prompt}`.trim()
        expect(shown).toContain(JSON.stringify(text).slice(1, -1))
      }
      const folds = foldsOf(all)
      for (const { receipt } of folds) expect(receipt?.tokens.after).toBeLessThan(receipt?.tokens.before ?? 0)
    }),
    { seed: 7, numRuns: 6 },
  )
})
