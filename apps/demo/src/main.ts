import { readFile, writeFile } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { endQuietly } from './end-quietly.js'
import { checkTold } from './expectations.js'
import { mistakenEnvironment } from './mistaken-environment.js'
import { HELP, type Options, readOptions } from './options.js'
import { playAll, WINDOW } from './play/play-all.js'
import { playLive } from './play/play-live.js'
import { reportHtml } from './report/report-html.js'
import { reportPlace } from './report/report-place.js'
import { closingText } from './tell/closing-text.js'
import { liveText } from './tell/live-text.js'
import type { Narrator } from './tell/narrator.js'
import { openingText } from './tell/opening-text.js'
import { painter } from './tell/paint.js'
import { silent } from './tell/silent.js'
import { tellOn } from './tell/tell-on.js'
import { workFolder } from './work-folder.js'

/** Milliseconds for whoever reads along. */
const PAUSE = 150
const WIDEST = 110

const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const write = (text: string) => void process.stdout.write(text)
const { NO_COLOR, TERM } = process.env
const paint = painter(process.stdout.isTTY === true && !NO_COLOR && TERM !== 'dumb')
const width = Math.max(40, Math.min(WIDEST, process.stdout.columns ?? WIDEST))

async function playOffline(options: Options): Promise<void> {
  const page = await placeOf(options.report)
  workFolder()
  if (!options.json) write(openingText(WINDOW, paint, width))
  const told = await playAll(narratorFor(options), beside('./worker.js'))
  checkTold(told)
  await writeFile(page, reportHtml(told, await readFile(beside('./charts.global.js'), 'utf8')))
  if (options.json) return write(toJson(told))
  write(closingText(told, paint, width))
  write(`\n${paint.bold('The page with charts:')} ${relative(process.env.INIT_CWD ?? '.', page)}\n`)
}

async function playOnline(options: Options): Promise<void> {
  workFolder()
  const live = await playLive(narratorFor(options), process.env.NACRE_MODEL)
  write(options.json ? toJson(live) : liveText(live, paint, width))
  if (live.refusal !== undefined) process.exitCode = 1
}

function narratorFor({ json, fast }: Options): Narrator {
  if (json) return silent
  const isWatched = process.stdout.isTTY === true && !fast
  return tellOn({ write, paint, width, pause: async () => void (isWatched && (await setTimeout(PAUSE))) })
}

function placeOf(report = beside('../../../.cache/demo/report.html')): Promise<string> {
  // Where the person is, not where the package manager went.
  return reportPlace(resolve(process.env.INIT_CWD ?? '.', report))
}

function toJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

endQuietly()
try {
  const options = readOptions(process.argv.slice(2))
  const mistake = mistakenEnvironment(options, process.env)
  if (mistake) throw new Error(mistake)
  if (options.help) write(HELP)
  else await (options.live ? playOnline(options) : playOffline(options))
} catch (error) {
  process.stderr.write(`demo: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
