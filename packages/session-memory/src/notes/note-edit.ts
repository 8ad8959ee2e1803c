/** What the model wants changed in one section. */
export interface NoteEdit {
  readonly section: string
  readonly how: 'replace' | 'append' | 'change'
  readonly text: string
  /** For `change`: the words that `text` stands for from now on. */
  readonly old?: string
}
