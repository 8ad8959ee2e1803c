import { parseArgs } from 'node:util'
import { nearestWord } from './nearest-word.js'

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
