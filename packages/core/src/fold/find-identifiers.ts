/**
 * Kinds of exact identifiers, those first that may hold others. All are bounded and begin at an edge, so that a long
 * line without spaces costs no more than its length.
 */
const KINDS: readonly RegExp[] = [
  // URLs
  /\b[a-z][a-z+]{1,9}:\/\/[^\s"'`<>()[\]{}\\]{3,200}/g,
  // Errors with what they say, and error codes
  /\b(?:[A-Z][A-Za-z]{0,40})?(?:Error|Exception|Panic)\b(?:\s?\[[A-Z_]{3,40}\])?:[ \t][^\n"]{3,100}/g,
  /\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b/g,
  /\b(?:E[A-Z]{4,15}|[A-Z]{1,4}\d{3,5}|[A-Z]{3,20}(?:_[A-Z0-9]{1,20}){1,5})\b/g,
  // Paths, with the line where there is one
  /(?<![\w./~@-])(?:~\/|\.{0,2}\/)?(?:[\w.@+-]{1,80}\/){1,20}[\w.@+-]{1,80}(?::\d{1,6})?/g,
  /(?<![\w.-])[\w-]{1,60}(?:\.[\w-]{1,20}){0,2}\.(?:[cm]?[jt]sx?|json|md|py|rs|go|java|rb|c|h|cpp|cs|php|sh|sql|ya?ml|toml|lock|html|css|txt|env|log)\b(?::\d{1,6})?/g,
  // Ports
  /\b(?:localhost|\d{1,3}(?:\.\d{1,3}){3}):\d{2,5}\b|\bport[ =:]{1,3}\d{2,5}\b/gi,
  // Git SHAs: letters and digits both, else it is a word or a number
  /\b(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}\b/g,
  // Numbers with units
  /(?<![\w.[;])\d{1,12}(?:[.,]\d{1,6})?(?: ?(?:ms|µs|ns|min|[kKMGT]i?B|Hz|kHz|MHz|GHz|px|tokens|rows|req\/s)\b|[smhd]\b| ?%)/g,
  // Qualified names, then camel case and snake case
  /\b[A-Za-z_$][\w$]{1,60}(?:(?:::|\.|#|->)[A-Za-z_$][\w$]{1,60}){1,6}(?:\(\))?/g,
  /\b(?:[a-z][a-z0-9]{0,30}(?:[A-Z][A-Za-z0-9]{0,30}){1,6}|(?:[A-Z][a-z0-9]{1,30}){2,6}|[A-Za-z][A-Za-z0-9]{0,30}(?:_[A-Za-z0-9]{1,30}){1,6})\b/g,
]

/** Looked for first: behind them a backslash begins an escape, as in JSON that a tool has printed. */
const WINDOWS_PATH = /\b[A-Za-z]:(?:\\{1,2}[\w.@+-]{2,80}){1,20}/g
const ESCAPE = /\\[nrt]/g

const TRAILING = /[.,;:!?/\\'"-]+$/

/** The exact identifiers of a text in the order in which they stand, each as often as it occurs. */
export function findIdentifiers(text: string): string[] {
  const found: { readonly at: number; readonly name: string }[] = []
  const take = (rest: string, kind: RegExp) =>
    rest.replace(kind, (match: string, ...groups: unknown[]) => {
      const name = match.replace(TRAILING, '')
      if (name.length > 2) found.push({ at: offsetIn(groups), name })
      // As long as it was, so that places stay the same; no word, so that no other kind finds a part of it.
      return ' '.repeat(match.length)
    })
  KINDS.reduce(take, take(text, WINDOWS_PATH).replace(ESCAPE, '  '))
  return found.sort((a, b) => a.at - b.at).map(({ name }) => name)
}

/** Where a match stands: the first number among what a replacer is given behind the groups. */
function offsetIn(groups: readonly unknown[]): number {
  return groups.find((group) => typeof group === 'number') ?? 0
}
