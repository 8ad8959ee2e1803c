import { parseArgs } from 'node:util'
import { closest, distance } from 'fastest-levenshtein'

/** What the demo is asked to do. */
export interface Options {
  readonly fast: boolean
  readonly json: boolean
  readonly live: boolean
  readonly help: boolean
  /** A file for the page; the usual place unless told. */
  readonly report?: string
}

export const HELP = `Usage: npm run demo -- [options]

One story in which every memory layer of Nacre is at work: an agent fixes a bug in a small project, with real tools
and real files, on a small window. It tells which layer fires, why, and what that saves; compares with the same work
without layers; and writes a page with charts. Offline, no key. It fails if a layer does not fire.

  --fast           no pauses for reading
  --json           the figures as JSON on stdout, and nothing else
  --report <file>  where the page goes; .cache/demo/report.html unless told
  --live           the same work with the real API (ANTHROPIC_API_KEY, NACRE_MODEL); costs money, $3 at most
  --help           this text

Examples:
  npm run demo
  npm run demo -- --fast --report /tmp/nacre.html
  npm run --silent demo -- --json > figures.json
`

const LISTED = '`npm run demo -- --help` lists them all.'
const FLAG = { type: 'boolean' } as const
const KNOWN = { fast: FLAG, json: FLAG, live: FLAG, help: { ...FLAG, short: 'h' }, report: { type: 'string' } } as const
const NAMES = ['fast', 'json', 'report', 'live', 'help'] as const

/** Reads the command line; throws with what is wrong with it. */
export function readOptions(args: readonly string[]): Options {
  // Not strict: its own messages name neither what was meant nor where the options are listed.
  const { values, tokens } = parseArgs({
    args: [...args],
    options: KNOWN,
    strict: false,
    allowPositionals: true,
    tokens: true,
  })
  for (const token of tokens) {
    const mistake = token.kind === 'option' ? mistakenOption(token) : mistakenWord(token)
    if (mistake) throw new Error(mistake)
  }
  const { fast = false, json = false, live = false, help = false, report } = values as Partial<Options>
  if (live && report !== undefined) throw new Error('--report goes with the story, not with --live.')
  return { fast, json, live, help, ...(report !== undefined && { report }) }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value?: string | undefined
  readonly inlineValue?: boolean | undefined
}

function mistakenOption({ name, rawName, value, inlineValue }: OptionToken): string | undefined {
  const known = NAMES.find((each) => each === name)
  if (known === undefined) {
    const meant = nearestWord(name, NAMES)
    return `There is no option ${rawName}. ${meant ? `Did you mean --${meant}?` : LISTED}`
  }
  const isMissing = !value || (!inlineValue && value.startsWith('-'))
  if (known === 'report') return isMissing ? '--report needs a file: --report page.html' : undefined
  return value === undefined ? undefined : `${rawName} takes no value.`
}

function mistakenWord(token: { readonly kind: string; readonly value?: string }): string | undefined {
  return token.kind === 'positional' ? `'${token.value}' is no option. ${LISTED}` : undefined
}

const SLIPS = 2

/** The one of some words that was probably meant, if one is near enough. */
function nearestWord(word: string, words: readonly string[]): string | undefined {
  const nearest = closest(word, words)
  return distance(word, nearest) <= Math.min(SLIPS, nearest.length - 1) ? nearest : undefined
}

/** What is wrong with the environment for what is asked of the demo. */
export function mistakenEnvironment({ live }: Options, env: NodeJS.ProcessEnv): string | undefined {
  const kept = ['fast', 'json', 'live', 'report'].find((name) => env[`npm_config_${name}`] !== undefined)
  if (kept && env.npm_lifecycle_event === 'demo') {
    return `npm kept --${kept} for itself. Options of the demo come after two dashes: npm run demo -- --${kept}`
  }
  if (!live) return undefined
  const { ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, ANTHROPIC_BASE_URL } = env
  if (!ANTHROPIC_API_KEY && !ANTHROPIC_AUTH_TOKEN && !ANTHROPIC_BASE_URL) {
    return '--live asks the real API: set ANTHROPIC_API_KEY, or leave --live out to play offline.'
  }
  if (ANTHROPIC_BASE_URL && !URL.canParse(ANTHROPIC_BASE_URL)) {
    return `ANTHROPIC_BASE_URL is not an address: ${ANTHROPIC_BASE_URL}`
  }
  return undefined
}
