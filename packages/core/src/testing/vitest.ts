import type * as Vitest from 'vitest'
import { NacreError } from '../errors.js'

// Live bindings that are set once a suite is asked for. A bundle that has no suite in it needs no vitest, and one that has
// finds the very vitest that runs it, not a copy.

export let describe: typeof Vitest.describe
export let expect: typeof Vitest.expect
export let it: typeof Vitest.it

/** In a variable, so that no bundler takes the name for something to bundle. */
const NAME = 'vitest'

/** Has to be done before anything is imported from here is used. */
export async function loadVitest(): Promise<void> {
  const vitest = await import(/* @vite-ignore */ NAME).catch((cause: unknown) => {
    throw new NacreError(
      'INVALID_SETTINGS',
      'The contract suites run in vitest: install it, and call them in its files.',
      {
        cause,
      },
    )
  })
  ;({ describe, expect, it } = vitest as typeof Vitest)
}
