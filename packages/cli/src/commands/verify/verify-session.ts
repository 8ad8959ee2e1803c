import { access } from 'node:fs/promises'
import type { Entry } from '@nacre/core'
import { EXIT } from '../../exit-codes.js'
import type { Terminal } from '../../terminal.js'
import { type CommandPlace, commandPlace } from '../command-place.js'
import { sessionFiles } from '../session-files.js'
import { checkBlobs } from './check-blobs.js'
import { checkPrefixes } from './check-prefixes.js'
import type { Checked } from './checked.js'
import { readLines } from './read-lines.js'

/** Checks a session and prints what came of it. Exit code 1 when anything is wrong. */
export async function verifySession(terminal: Terminal, text: string, isJson: boolean): Promise<number> {
  const place = commandPlace(terminal)
  const id = await idOf(place, text)
  const files = sessionFiles(place, id)
  const { entries, problems } = await readLines(files.log)
  const log = { name: 'log', detail: `${entries.length} entries`, problems: [...problems, ...repeated(entries)] }
  const checks: readonly Checked[] = [log, checkPrefixes(entries), await checkBlobs(entries, files.blobs, place.data)]
  const isWhole = checks.every((check) => check.problems.length === 0)
  if (isJson) terminal.stdout.write(`${JSON.stringify({ session: id, isWhole, checks }, null, 2)}\n`)
  else terminal.stdout.write(`${id}\n${checks.map(lines).join('\n')}\n`)
  return isWhole ? EXIT.done : EXIT.failed
}

/** A session whose log is broken is in no list: its id alone leads there. */
async function idOf(place: CommandPlace, text: string): Promise<string> {
  const isThere = await access(sessionFiles(place, text).log).then(
    () => true,
    () => false,
  )
  return isThere ? text : (await place.find(text)).id
}

function repeated(entries: readonly Entry[]): readonly string[] {
  const seen = new Set<string>()
  return entries.flatMap(({ id }) => {
    if (seen.has(id)) return [`the entry ${id} is there twice`]
    seen.add(id)
    return []
  })
}

function lines({ name, detail, problems }: Checked): string {
  const head = `${problems.length === 0 ? 'ok    ' : 'wrong '} ${name.padEnd(8)} ${detail}`
  return [head, ...problems.map((problem) => `         ${problem}`)].join('\n')
}
