/** What a check looked at, and what is wrong. */
export interface Checked {
  readonly name: string
  readonly detail: string
  readonly problems: readonly string[]
}
