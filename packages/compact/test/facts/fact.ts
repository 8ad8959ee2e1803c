/** An exact piece of text that a session must not lose. */
export interface Fact {
  readonly kind: string
  /** To the letter. */
  readonly text: string
  /** The line in which it first occurs. */
  readonly line: string
  /** Only a person says such a thing: a rule, or a correction. */
  readonly isSaid: boolean
}

/** Whether a text holds a fact, and not as a part of something longer. */
export function holds(text: string, { text: fact }: Pick<Fact, 'text'>): boolean {
  for (let at = text.indexOf(fact); at !== -1; at = text.indexOf(fact, at + 1)) {
    const [before = '', after = ''] = [text[at - 1], text[at + fact.length]]
    const isPart = (edge: string, inside: string) => /[A-Za-z0-9]/.test(edge) && /[A-Za-z0-9]/.test(inside)
    if (!isPart(before, fact[0] as string) && !isPart(after, fact.at(-1) as string)) return true
  }
  return false
}
