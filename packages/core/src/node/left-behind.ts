import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProcessAlive, PLACE } from './lock.js'

/** What a program that makes such folders calls the file that says whose one is. */
const OWNER = '.owner'
/** A file for each command, named by the mark that its processes carry in their environment. */
const COMMANDS = '.commands'
/** Who has just made a folder may not have said yet that it is theirs. */
const FRESH = 60_000

interface Owner {
  readonly pid: number
  /** When it began, as the kernel counts; a later process with the same id has another one. */
  readonly started: string
  readonly place: string
}

/** Makes a folder for files that nobody needs after this program; `endLeftBehind` finds it should the program be killed. */
export async function ownedFolder(prefix: string, parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, prefix))
  const owner: Owner = { pid: process.pid, started: startOf(process.pid) ?? '', place: PLACE }
  await writeFile(join(folder, OWNER), JSON.stringify(owner), { mode: 0o600 })
  return folder
}

/**
 * Notes a command before it is started: its processes have `mark` in their environment, which no other process has.
 * Returns the way to take the note back.
 */
export async function noteCommand(folder: string, mark: string): Promise<() => Promise<void>> {
  const commands = join(folder, COMMANDS)
  await mkdir(commands, { recursive: true, mode: 0o700 })
  const file = join(commands, mark)
  await writeFile(file, '', { mode: 0o600 })
  return () => rm(file, { force: true })
}

/**
 * Ends the commands of programs that were killed, and removes their folders. What belongs to a program that runs, to
 * another machine or to nobody that is known is left alone. Never throws: it is nobody's task to clean up.
 */
export async function endLeftBehind(prefix: string, parent = tmpdir()): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  for (const name of names.filter((each) => each.startsWith(prefix))) {
    await endOne(join(parent, name)).catch(() => undefined)
  }
}

async function endOne(folder: string): Promise<void> {
  const text = await readFile(join(folder, OWNER), 'utf8').catch(() => undefined)
  if (text === undefined) {
    const age = Date.now() - (await stat(folder)).mtimeMs
    if (age > FRESH) await rmdir(folder)
    return
  }
  if (!isGone(JSON.parse(text) as Owner)) return
  const marks = await readdir(join(folder, COMMANDS)).catch(() => [])
  // Again, for what was begun meanwhile.
  for (let round = 0; round < 3 && killMarked(marks); round++);
  await rm(folder, { recursive: true, force: true })
}

function isGone({ pid, started, place }: Owner): boolean {
  if (place !== PLACE) return false
  const now = startOf(pid)
  return now === undefined ? !isProcessAlive(pid) : started !== '' && now !== started
}

/** Kills every process that carries one of the marks; whether there was any. Only Linux tells what a process carries. */
function killMarked(marks: readonly string[]): boolean {
  // Who runs inside of such a command is a part of it, and so is all that it has started.
  const around = readProc('self', 'environ') ?? ''
  const own = marks.filter((mark) => /^[0-9a-f-]{36}$/.test(mark) && !around.includes(mark))
  if (own.length === 0 || process.platform !== 'linux') return false
  let isAny = false
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    const environment = readProc(name, 'environ')
    if (environment === undefined || !own.some((mark) => environment.includes(mark))) continue
    try {
      process.kill(Number(name), 'SIGKILL')
      isAny = true
    } catch {
      // It has ended meanwhile.
    }
  }
  return isAny
}

const STARTED = 19

/** When a process began, in ticks since the machine did; `undefined` where that is not told. */
function startOf(pid: number): string | undefined {
  const line = readProc(String(pid), 'stat')
  // The name of the program stands in parentheses and may hold anything, parentheses too.
  return line?.slice(line.lastIndexOf(')') + 2).split(' ')[STARTED]
}

function readProc(pid: string, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}
