const PART = /[A-Za-z_$]+|\d+/g
const REPEATED = /([a0]+[^a0]{1,2})\1+/g

/** The form of a name without its words and numbers: names that one rule made have the same, however many parts. */
export function nameForm(name: string): string {
  // What an error says is told apart by its words, and is a sentence whatever they are.
  if (/[A-Za-z]{3}.* .*[A-Za-z]{3}/.test(name)) return ' '
  return name.replace(PART, (part) => (/\d/.test(part) ? '0' : 'a')).replace(REPEATED, '$1')
}
