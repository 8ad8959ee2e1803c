import { parseArgs } from 'node:util'

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

/** Reads the command line; throws with what is wrong with it. */
export function readOptions(args: readonly string[]): Options {
  const flag = { type: 'boolean', default: false } as const
  const { values } = parseArgs({
    args: [...args],
    options: { fast: flag, json: flag, live: flag, help: flag, report: { type: 'string' } },
  })
  if (values.live && values.report) throw new Error('--report goes with the story, not with --live.')
  const { report, ...rest } = values
  return { ...rest, ...(report !== undefined && { report }) }
}
