import { access, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { AssistantEntry, Block, Entry } from '@nacre/core'
import { checkBlobs } from '@nacre/core/node'
import { cleanText } from '../terminal/clean-text.js'
import { EXIT, type Terminal } from '../terminal/terminal.js'
import { type CommandPlace, commandPlace, sessionFiles } from './find-session.js'
import { firstEpoch, startReplay } from './without-model.js'

/** Checks a session and prints what came of it. Exit code 1 when anything is wrong. */
export async function verifySession(terminal: Terminal, text: string, isJson: boolean): Promise<number> {
  const place = commandPlace(terminal)
  const id = await idOf(place, text)
  const files = sessionFiles(place, id)
  const { entries, problems } = await readLines(files.log)
  const log = { name: 'log', detail: `${entries.length} entries`, problems: [...problems, ...repeated(entries)] }
  const results = await checkResults(entries, files.blobs, place.data)
  const checks: readonly Checked[] = [log, checkPrefixes(entries), results, await checkFiles(files.blobs)]
  const isWhole = checks.every((check) => check.problems.length === 0)
  if (isJson) terminal.stdout.write(`${JSON.stringify({ session: id, isWhole, checks }, null, 2)}\n`)
  else terminal.stdout.write(`${cleanText(`${id}\n${checks.map(lines).join('\n')}`)}\n`)
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

/** What a check looked at, and what is wrong. */
interface Checked {
  readonly name: string
  readonly detail: string
  readonly problems: readonly string[]
}

interface ReadLines {
  readonly entries: readonly Entry[]
  readonly problems: readonly string[]
}

/** Every line of a log, also behind one that can't be read: each holds a batch of entries. */
async function readLines(file: string): Promise<ReadLines> {
  const entries: Entry[] = []
  const problems: string[] = []
  const lines = (await readFile(file, 'utf8')).split('\n')
  const tail = lines.pop() ?? ''
  for (const [index, line] of lines.entries()) {
    const batch = batchIn(line)
    if (batch) entries.push(...batch)
    else problems.push(`${file}, line ${index + 1}: no batch of entries`)
  }
  if (tail !== '')
    problems.push(`${file}: the last line was cut off while it was written; it is dropped when the session is opened`)
  return { entries, problems }
}

function batchIn(line: string): readonly Entry[] | undefined {
  try {
    const { entries } = JSON.parse(line) as { readonly entries?: readonly Entry[] }
    return Array.isArray(entries) && entries.every(({ id, kind }) => id !== undefined && kind !== undefined)
      ? entries
      : undefined
  } catch {
    return undefined
  }
}

/** Whether the log renders, at each response, to the request that the response was given to. */
function checkPrefixes(entries: readonly Entry[]): Checked {
  const responses = entries.filter((entry): entry is AssistantEntry => entry.kind === 'assistant')
  const known = responses.filter(({ prefix }) => prefix !== '')
  if (known.length === 0) return { name: 'requests', detail: 'none whose bytes are known', problems: [] }
  if (!firstEpoch(entries)) {
    const detail = `not checked: the log does not say what system and tools it began with`
    return { name: 'requests', detail, problems: [] }
  }
  const models = [...new Set(known.map(({ model }) => model))]
  const problems = models.flatMap((model) => problemsFor(model, entries))
  const detail = `${known.length - problems.length} of ${known.length} render to the bytes that were sent`
  return { name: 'requests', detail, problems }
}

/** One walk for each model, since models differ in what they are sent. */
function problemsFor(model: string, entries: readonly Entry[]): readonly string[] {
  const replay = startReplay(entries, model)
  const problems: string[] = []
  // Something may have come into the log while the model was answering: any rendering since the last answer may be it.
  let since = new Set<string>()
  for (const entry of entries) {
    since.add(replay.rendering().prefix)
    if (entry.kind === 'assistant') {
      if (entry.model === model && entry.prefix !== '' && !since.has(entry.prefix)) {
        problems.push(`response ${entry.id}: what renders now is not what was sent then`)
      }
      since = new Set()
    }
    replay.restore(entry)
  }
  return problems
}

const FRAME = /^<persisted-output>\n/
const FILE = /^The whole is in the file (.+)$/m

/** Whether the files are there that stand behind results which were too long for the view. */
async function checkResults(entries: readonly Entry[], folder: string, data: string): Promise<Checked> {
  const named = [...new Set(entries.flatMap(blocksOf).flatMap((block) => fileIn(block)))]
  // A fork refers to the files of the session it came from; what lies elsewhere is nobody's blob.
  const kept = named.filter((file) => file.startsWith(data))
  const found = await Promise.all(
    kept.map(async (file) => (await isFile(file)) || isFile(join(folder, basename(file)))),
  )
  const problems = kept.filter((_, index) => !found[index]).map((file) => `${file} is missing`)
  return {
    name: 'results',
    detail: `${kept.length - problems.length} of ${kept.length} stored ones are there`,
    problems,
  }
}

/** Whether every file that was kept with the session, named in the log or not, is there and as it was written. */
async function checkFiles(folder: string): Promise<Checked> {
  const { known, problems } = await checkBlobs(folder)
  return { name: 'files', detail: `${known - problems.length} of ${known} are as they were written`, problems }
}

function blocksOf(entry: Entry): readonly Block[] {
  if (entry.kind === 'user') return entry.content
  if (entry.kind !== 'edit') return []
  return entry.changes.flatMap((change) => (change.kind === 'replace' ? change.content : []))
}

/** A result only has the file that bears the name of its own call: the output of a tool may claim anything. */
function fileIn(block: Block): string[] {
  const text = textOf(block)
  const file = text !== undefined && FRAME.test(text) ? FILE.exec(text)?.[1] : undefined
  const owner =
    block.type === 'tool_result' ? String(block.tool_use_id).replaceAll(/[^A-Za-z0-9._-]+/g, '-') : 'pasted-text'
  return file !== undefined && basename(file).includes(owner) ? [file] : []
}

function textOf({ type, text, content }: Block): string | undefined {
  if (type === 'text') return String(text)
  if (type !== 'tool_result' || typeof content === 'string') return content as string | undefined
  const texts = ((content ?? []) as readonly Block[]).filter((block) => block.type === 'text')
  return texts.length === 1 ? String(texts[0]?.text) : undefined
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}
