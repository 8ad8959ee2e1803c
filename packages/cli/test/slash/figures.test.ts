import fc from 'fast-check'
import { it, vi } from 'vitest'
import { checkFigures } from './support/check-figures.js'
import { makeFolders } from './support/make-folders.js'
import { openForTest } from './support/open-for-test.js'
import { type Played, playStep } from './support/play-step.js'
import { randomSteps, type Step } from './support/random-step.js'

const RUNS = Number(process.env.FUZZ_RUNS ?? 4)
const SEED = Number(process.env.FUZZ_SEED ?? 7)
// Every request goes over a socket: a slow machine gets the time it needs.
vi.setConfig({ testTimeout: 120_000 + 5_000 * RUNS })

async function play(steps: readonly Step[], window: number): Promise<void> {
  const folders = makeFolders()
  const session = await openForTest(folders, { window })
  let played: Played = { folders, session, billed: session.requests, window, dryRun: 0 }
  for (const [index, step] of steps.entries()) {
    try {
      played = await playStep(played, step)
      await checkFigures(played.session, played.billed)
    } catch (error) {
      throw new Error(`Step ${index}, ${JSON.stringify(step)}: ${(error as Error).message}`, { cause: error })
    }
  }
  await played.session.opened.close()
}

it('says of money and sizes what the server has written down, whatever happens to a session', async () => {
  await fc.assert(
    fc.asyncProperty(randomSteps, fc.constantFrom(60_000, 200_000), (steps, window) => play(steps, window)),
    { numRuns: RUNS, seed: SEED, endOnFailure: process.env.FUZZ_RUNS === undefined },
  )
})
