import { type ErrorCode, isNacreError, type View } from '@nacre/core'

/** What keeps a model from being reached at all: another way to ask it for the same would wait as long for nothing. */
const OUT_OF_REACH: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'AUTH',
  'BUDGET_EXCEEDED',
  'NETWORK',
  'OVERLOADED',
  'RATE_LIMITED',
  'SERVER',
  'SPEND_CAP',
  'STREAM_CUT',
])

/** Remembers that the model could not be reached, for as long as the view is the same. */
export interface Reach {
  /** Asks, unless it is known to be in vain. */
  attempt<Answer>(view: View, ask: () => Promise<Answer>): Promise<Answer>
  /** A person who asks again wants it tried again. */
  forget(): void
}

export function createReach(): Reach {
  let known: { readonly version: number; readonly error: Error } | undefined
  return {
    async attempt(view, ask) {
      if (known?.version === view.version)
        throw new Error(`The model was out of reach just now: ${known.error.message}`)
      known = undefined
      try {
        return await ask()
      } catch (error) {
        if (isNacreError(error) && OUT_OF_REACH.has(error.code)) known = { version: view.version, error }
        throw error
      }
    },
    forget() {
      known = undefined
    },
  }
}
