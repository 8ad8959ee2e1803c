/** The part of a file that is asked for. */
export interface Part {
  readonly offset?: number | undefined
  readonly limit?: number | undefined
  readonly pages?: string | undefined
}

/** What a read may bring: more would crowd everything else out. */
export const MOST_CHARACTERS = 100_000
