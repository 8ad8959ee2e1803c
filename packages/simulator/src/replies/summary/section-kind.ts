/** What a section is about, whatever it is called. */
export type SectionKind =
  | 'messages'
  | 'intent'
  | 'concepts'
  | 'errors'
  | 'files'
  | 'solving'
  | 'pending'
  | 'completed'
  | 'context'
  | 'next'
  | 'current'
  | 'other'

/** The first that fits counts: 'context for continuing work' is no work. */
const KINDS: readonly (readonly [SectionKind, RegExp])[] = [
  ['messages', /messages|user said/i],
  ['intent', /intent|request|goal/i],
  ['concepts', /concept|technolog/i],
  ['errors', /error|fix/i],
  ['files', /file|code/i],
  ['solving', /problem|solv/i],
  ['pending', /pending|open|todo|task/i],
  ['completed', /complet|done|finished/i],
  ['context', /context|continu/i],
  ['next', /next|step/i],
  ['current', /current|work/i],
]

/** What a section with that title is about. */
export function sectionKind(title: string): SectionKind {
  return KINDS.find(([, words]) => words.test(title))?.[0] ?? 'other'
}
