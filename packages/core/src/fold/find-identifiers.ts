/**
 * Kinds of exact identifiers, those first that may hold others. All are bounded and begin at an edge, so that a long
 * line without spaces costs no more than its length.
 */
const KINDS: readonly RegExp[] = [
  // URLs, and names of resources that are led by a scheme
  /\b[a-z][a-z0-9+]{1,9}:\/\/[^\s"'`<>()[\]{}\\]{3,200}/g,
  /\b(?:arn|urn|pkg|oci|did):[^\s"'`<>()[\]{}\\,;]{5,200}/g,
  // What errors say: behind the name of one, behind a code, behind a label. A name in quotes is a part of it.
  /\b(?:[A-Z][A-Za-z]{0,40})?(?:Error|Exception|Panic)\b(?:\s?\[[A-Z_]{3,40}\])?:[ \t](?: "[^\n"|]{1,60}"|[^\n"|]){3,100}/g,
  /(?<![\w.-])(?:error|fatal|panic)(?: ?\[?[A-Z]{1,5}\d{2,6}\]?)?:[ \t](?=[^\n"|]{0,100}[a-z])(?: "[^\n"|]{1,60}"|[^\n"|]){8,100}/gi,
  /(?<=\[(?:error|fatal)\][ \t])(?=[^\n"|]{0,100}[a-z])(?: "[^\n"|]{1,60}"|[^\n"|]){8,100}/gi,
  /\b(?:E[A-Z]{3,15}|[A-Z]{2,5}-?\d{3,6}):[ \t](?: "[^\n"|]{1,60}"|[^\n"|]){3,100}/g,
  /\b[A-Z][A-Za-z]{2,40}(?:Error|Exception)\b/g,
  // Ids: UUIDs, long addresses of machines, tickets and codes, colours and numbered things
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi,
  /(?<![\w:.])(?=[0-9a-f:]{0,40}\d)(?:(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}|(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4})(?![\w:])/gi,
  /\b(?:[A-Z][A-Z0-9]{1,9}-\d{2,7}|E[A-Z]{4,15}|[A-Z]{1,4}\d{3,5}|[A-Z]{3,20}(?:_[A-Z0-9]{1,20}){1,5})\b/g,
  /(?<![\w#&/])#(?:[0-9a-f]{8}|[0-9a-f]{6}|\d{2,7})\b/gi,
  // Dates, but not those that lines of a log begin with
  /(?<!^[[(]?)\b(?:19|20)\d\d-[01]\d-[0-3]\d(?:[T ][0-2]\d:[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?\b/gm,
  // Numbers with units, and money
  /(?<![\w.[;/-])\d{1,12}(?:[.,]\d{1,6}){0,3}(?: ?(?:[nmµu]s|sec|seconds|min|minutes|hours|days|[kKMGTP]i?[Bb](?:\/s|ps)?|bytes|[kMG]?Hz|fps|px|r?em|pt|[kmµ]?[VAW]|dB|°[CF]|[mck]m|[mk]g|tokens|rows|cores|[a-z]{1,12}\/(?:s|sec|min|h|hour|day))(?![\w/])|[smhdKMGT]\b| ?%)/g,
  /(?<![\w.-])(?:\d{1,4}[dhm] ?){1,3}\d{1,4}(?:\.\d{1,6})?s\b/g,
  /[$€£¥]\d{1,9}(?:[.,]\d{1,6}){0,3}\b/g,
  // Paths, with the line or the version where there is one
  /(?<![\wÀ-ɏЀ-ӿ./~@-])(?:~\/|\.{0,2}\/)?(?:(?:[\wÀ-ɏЀ-ӿ.@+$-]{1,80}|\[[\w.-]{1,40}\]|\([\w-]{1,40}\))\/){1,20}[\wÀ-ɏЀ-ӿ.@+-]{1,80}(?::v?\d[\w.-]{0,40})?/g,
  /(?<![\w.-])[\w-]{1,60}(?:\.[\w-]{1,20}){0,2}\.(?:[cm]?[jt]sx?|jsonl?|mdx?|py|rs|go|java|kts?|swift|scala|rb|c|h|cc|[ch]pp|cs|fs|php|exs?|lua|vue|svelte|proto|graphql|tf|sh|ps1|sql|ya?ml|toml|ini|conf|cfg|lock|html|s?css|xml|csv|txt|env|log)\b(?::\d{1,6})?/g,
  // Machines: with their ports, by number, by name; mailboxes
  /(?<![\w.-])(?:localhost|\d{1,3}(?:\.\d{1,3}){3}|[a-z0-9][a-z0-9-]{0,60}(?:\.[a-z0-9-]{1,60}){0,5}\.[a-z]{2,20}(?=:\d)):\d{2,5}\b|\bport[ =:]{1,3}\d{2,5}\b/gi,
  /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:\/\d{1,2})?(?![\w.])/g,
  /[\w.+-]{1,60}@[\w-]{1,60}(?:\.[a-z][a-z-]{1,30}){1,4}\b/gi,
  // Versions, with the package where it is named
  /(?<![\w./@-])(?:(?:@[\w.-]{1,40}\/)?[\w.-]{1,60}@)?[v^~]?\d{1,4}\.\d{1,5}\.\d{1,5}(?:[-+][\w.+-]{1,40})?(?![\w/])/g,
  // Names of hosts, and names with hyphens and digits, as machines give them
  /(?<![\w.-])(?=[a-z.]{1,200}[-\d])[a-z0-9][a-z0-9-]{0,60}(?:\.[a-z0-9][a-z0-9-]{0,60}){2,6}(?![\w-])/g,
  /(?<![\w.-])(?=[a-z-]{1,120}\d)[a-z][a-z0-9]{0,40}(?:-[a-z0-9]{1,40}){1,8}(?![\w-])/g,
  // Hashes: letters and digits both, else it is a word or a number
  /\b(?:sha\d{1,3}[:-])?(?=[0-9a-f]{0,63}\d)(?=[0-9a-f]{0,63}[a-f])[0-9a-f]{7,64}\b/g,
  // Options of commands
  /(?<![\w-])--[a-z][a-z0-9]{1,30}(?:-[a-z0-9]{1,30}){0,6}(?:=[\w./:@%+-]{1,60})?/g,
  // Qualified names, then camel case and snake case
  /\b[A-Za-z_$][\w$]{1,60}(?:(?:::|\.|#|->)[A-Za-z_$][\w$]{1,60}){1,6}(?:\(\))?/g,
  /\b(?:[a-z][a-z0-9]{0,30}(?:[A-Z][A-Za-z0-9]{0,30}){1,6}|(?:[A-Z][a-z0-9]{1,30}){2,6}|[A-Za-z][A-Za-z0-9]{0,30}(?:_[A-Za-z0-9]{1,30}){1,6})\b/g,
]

/** Looked for first: behind them a backslash begins an escape, as in JSON that a tool has printed. */
const WINDOWS_PATH = /(?:\b[A-Za-z]:|\\{2,4}[\w.-]{2,60})(?:\\{1,2}[\w.@+$-]{2,80}){1,20}/g
const ESCAPE = /\\[nrt]/g

/** Looks like a path and is an abbreviation. */
const NO_NAME = /^(?:\w{1,2}\/\w{1,2}|and\/or)$/i
const TRAILING = /[.,;:!?/\\'"-]+$/

/** The exact identifiers of a text in the order in which they stand, each as often as it occurs. */
export function findIdentifiers(text: string): string[] {
  const found: { readonly at: number; readonly name: string }[] = []
  const take = (rest: string, kind: RegExp) =>
    rest.replace(kind, (match: string, ...groups: unknown[]) => {
      const name = match.replace(TRAILING, '')
      if (name.length > 2 && !NO_NAME.test(name)) found.push({ at: offsetIn(groups), name })
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
