/** What may be meant by what is typed, for a slash command. */
export interface Suggestions {
  readonly items: readonly Suggestion[]
  readonly at: number
}

interface Suggestion {
  /** The whole line with it. */
  readonly line: string
  readonly help: string
}
