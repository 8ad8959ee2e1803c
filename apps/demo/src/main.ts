import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { access, constants, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { checkOutcome } from './check-outcome.js'
import { HELP, mistakenEnvironment, type Options, readOptions } from './options.js'
import { type Narrator, silent } from './outcome/narrator.js'
import { playAll, WINDOW } from './play/play-all.js'
import { playLive } from './play/play-live.js'
import { reportHtml } from './report/report-html.js'
import { painter } from './tell/terminal.js'
import { terminalNarrator } from './tell/terminal-narrator.js'
import { closingText, liveText, openingText } from './tell/texts.js'

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
  const outcome = await playAll(narratorFor(options), beside('./worker.js'))
  checkOutcome(outcome)
  await writeFile(page, reportHtml(outcome, await readFile(beside('./charts.global.js'), 'utf8')))
  if (options.json) return write(toJson(outcome))
  write(closingText(outcome, paint, width))
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
  return terminalNarrator({ write, paint, width, pause: async () => void (isWatched && (await setTimeout(PAUSE))) })
}

function placeOf(report = beside('../../../.cache/demo/report.html')): Promise<string> {
  // Where the person is, not where the package manager went.
  return reportPlace(resolve(process.env.INIT_CWD ?? '.', report))
}

/** Makes sure that a page can be written there, before anybody has waited for it; throws with what to do if not. */
async function reportPlace(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) {
    throw new Error(`${path} is a folder. Name a file for the page, such as ${join(path, 'report.html')}`)
  }
  try {
    await mkdir(dirname(path), { recursive: true })
    await access(found ? path : dirname(path), constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`The page can't be written to ${path} (${code}). Name another file with --report.`)
  }
  return path
}

function toJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}

const TRIES = 20
const BETWEEN_TRIES = 25

/**
 * Makes a folder and has all temporary files go there, those of the tools and of other processes too. It is removed
 * with the process, also where that is interrupted.
 */
function workFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'nacre-demo-'))
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder
  process.once('exit', () => {
    // Writes that were under way go on behind the end of the program, and may bring back what is gone already.
    for (let left = TRIES; left > 0 && existsSync(folder); left--) {
      remove(folder)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BETWEEN_TRIES)
    }
  })
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A command that is just ending may still hold a file; the next try may be luckier.
  }
}

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

/** Ends the process at once when somebody interrupts it, or when nobody reads on; what listens to `exit` still runs. */
function endQuietly(): void {
  for (const [signal, code] of Object.entries(SIGNALS)) process.once(signal, () => process.exit(code))
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit(0)
    process.stderr.write(`demo: What was to be said could not be written (${code}).\n`)
    process.exit(1)
  })
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
