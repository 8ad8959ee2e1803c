import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type CompactChapter, playCompaction } from './compact/compact-chapter.js'
import { compactText } from './compact/compact-text.js'
import { checkChapter, checkClaims, checkCompaction, checkNotes, checkResults } from './expectations.js'
import { type NotesChapter, playNotes } from './notes/notes-chapter.js'
import { notesText } from './notes/notes-text.js'
import { playResults, type ResultsChapter } from './results/results-chapter.js'
import { resultsText } from './results/results-text.js'
import { play, type Run, variants } from './runs.js'
import { type Chapter, playChapter } from './session/chapter.js'
import { chapterText } from './session/chapter-text.js'
import { CALLS, PROMPT, writeProject } from './story.js'
import { painter, table } from './table.js'

const HELP = `Usage: npm run demo -- [options]

Plays one small story on the simulator in ${variants.length} ways and shows what each costs, and why; then as a session
that is killed, resumed, edited and undone, with a result of five megabytes, and as a conversation that is cleared,
compacted, undone, asked about and compacted with the network cut, and one that compacts by its notes. Offline, no key.

  --json   the figures as JSON
  --help   this text
`

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } })
  if (values.help) return void process.stdout.write(HELP)
  const folder = await mkdtemp(join(tmpdir(), 'nacre-demo-'))
  try {
    await writeProject(folder)
    const runs: Run[] = []
    for (const variant of variants) runs.push(await play(variant, folder))
    checkClaims(runs)
    const chapter = await playChapter(folder, fileURLToPath(new URL('./worker.js', import.meta.url)))
    checkChapter(chapter)
    const results = await playResults()
    checkResults(results)
    const compaction = await playCompaction()
    checkCompaction(compaction)
    const notes = await playNotes()
    checkNotes(notes)
    const told: Told = { runs, chapter, results, compaction, notes }
    process.stdout.write(values.json ? toJson(told) : toText(told))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Told {
  readonly runs: readonly Run[]
  readonly chapter: Chapter
  readonly results: ResultsChapter
  readonly compaction: CompactChapter
  readonly notes: NotesChapter
}

function toText({ runs, chapter, results, compaction, notes }: Told): string {
  const paint = painter(process.stdout.isTTY === true && !process.env.NO_COLOR)
  const best = runs[1]?.totals.dollars ?? 0
  const worst = Math.max(...runs.map(({ totals }) => totals.dollars))
  return `
${paint.bold(`One story, ${variants.length} bills`)}
"${PROMPT}"
A plain agent on the real SDK reads ${CALLS} files through a tool. The server is the simulator: real HTTP, real
streams, the documented cache rules, the prices of Claude Opus 5.5. No model, no key, no network.

${table(runs, paint)}

The same work costs $${best.toFixed(4)} or $${worst.toFixed(4)}: ${(worst / best).toFixed(1)} times as much, and nothing in the answers tells.
The last row is where memory layers begin: a conversation that does not fit has to change, at a price.
${chapterText(chapter, paint)}${resultsText(results, paint)}${compactText(compaction, paint)}${notesText(notes, paint)}`
}

function toJson({ runs, chapter, results, compaction, notes }: Told): string {
  const rows = runs.map((run) => ({ name: run.variant.name, why: run.variant.why(run), ...run.totals, ...run.end }))
  return `${JSON.stringify({ runs: rows, session: chapter, results, compaction, notes }, undefined, 2)}\n`
}

await main()
