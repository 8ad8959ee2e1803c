import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkTold } from './expectations.js'
import { HELP, type Options, readOptions } from './options.js'
import { playAll } from './play/play-all.js'
import { playLive } from './play/play-live.js'
import type { Told } from './play/told.js'
import { reportHtml } from './report/report-html.js'
import { closingText } from './tell/closing-text.js'
import { liveText } from './tell/live-text.js'
import type { Narrator } from './tell/narrator.js'
import { openingText } from './tell/opening-text.js'
import { painter } from './tell/paint.js'
import { silent } from './tell/silent.js'
import { tellOn } from './tell/tell-on.js'

/** Milliseconds for whoever reads along. */
const PAUSE = 150
const WIDEST = 110

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const write = (text: string) => void process.stdout.write(text)
const paint = painter(process.stdout.isTTY === true && !process.env.NO_COLOR)
const width = Math.max(40, Math.min(WIDEST, process.stdout.columns ?? WIDEST))

async function main(options: Options): Promise<void> {
  if (options.help) return write(HELP)
  const narrator = narratorFor(options)
  if (options.live) {
    const live = await playLive(narrator, process.env.NACRE_MODEL)
    return write(options.json ? toJson(live) : liveText(live, paint))
  }
  if (!options.json) write(openingText(paint, width))
  const told = await playAll(narrator, beside('./worker.js'))
  checkTold(told)
  const page = await writeReport(told, options.report)
  if (options.json) return write(toJson(told))
  write(closingText(told, paint, width))
  write(`\n${paint.bold('The page with charts:')} ${relative(process.env.INIT_CWD ?? '.', page)}\n`)
}

function narratorFor({ json, fast }: Options): Narrator {
  if (json) return silent
  const isWatched = process.stdout.isTTY === true && !fast
  return tellOn({ write, paint, width, pause: async () => void (isWatched && (await setTimeout(PAUSE))) })
}

async function writeReport(told: Told, place = beside('../../../.cache/demo/report.html')): Promise<string> {
  // Where the person is, not where the package manager went.
  const path = resolve(process.env.INIT_CWD ?? '.', place)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, reportHtml(told, await readFile(beside('./charts.global.js'), 'utf8')))
  return path
}

function toJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

/** What is wrong with the command line, or with the environment that it needs. */
function mistakeIn(options: Options): string | undefined {
  const { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL } = process.env
  if (options.live && !ANTHROPIC_API_KEY && !ANTHROPIC_BASE_URL) {
    return '--live asks the real API: set ANTHROPIC_API_KEY, or leave --live out to play offline.'
  }
  return undefined
}

try {
  const options = readOptions(process.argv.slice(2))
  const mistake = mistakeIn(options)
  if (mistake) throw new Error(mistake)
  await main(options)
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
