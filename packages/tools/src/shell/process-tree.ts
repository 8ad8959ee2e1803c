import { descendants, type ListedProcess, listedProcess, listProcesses, readOf, send } from '../processes.js'
import type { ShellTime } from './shell-options.js'

/** The processes that a command has started. */
export interface ProcessTree {
  /** What still runs of the shell's own session: what was left behind by `&`, but no daemon that made a session of its own. */
  left(): readonly string[]
  /** Sends a signal; 0 only asks. Tells whether there was anyone. */
  signal(name: NodeJS.Signals | 0, whom: Whom): boolean
  /** To be called at the moment the shell has ended: its number may soon be somebody else's. */
  shellEnded(): void
}

/** `all`: daemons too, as far as they can be found by their parents or by the mark in their environment. */
export type Whom = 'session' | 'all'

/**
 * Where there is no /proc only the process group is known. Of a shell in a cage `shell` is what made the cage: that and the
 * first process inside are not the command's, and end when they are let go.
 */
export function processTree(started: StartedShell): ProcessTree {
  return process.platform === 'linux' ? listedTree(started) : groupTree(started.shell)
}

interface StartedShell {
  readonly shell: number
  readonly mark: string
  /** The words by which the shell was called. */
  readonly shellLine: string
  readonly isCaged: boolean
}

function listedTree({ shell, mark, shellLine, isCaged }: StartedShell): ProcessTree {
  const first = listedProcess(shell)
  const known = new Map(first && [[shell, first]])
  const find = (isHeld: boolean, whom: Whom) => {
    const all = listProcesses()
    const byId = new Map(all.map((one) => [one.id, one]))
    for (const { id, started } of [...known.values()]) {
      const now = byId.get(id)
      if (now?.started === started) known.set(id, now)
      else known.delete(id)
    }
    // The number of a session is not given away again while one of it lives.
    const isOurs = isHeld || [...known.values()].some(({ session }) => session === shell)
    const session = isOurs ? all.filter((one) => one.session === shell || one.group === shell) : []
    for (const one of session) known.set(one.id, one)
    if (whom === 'session') return session
    for (const one of all) if (!known.has(one.id) && isMarked(one, first, mark)) known.set(one.id, one)
    for (const one of descendants(all, known)) known.set(one.id, one)
    return [...known.values()]
  }
  const isCage = ({ id }: ListedProcess) => isCaged && (id === shell || isFirstInside(id))
  const inside = (whom: Whom) => find(false, whom).filter((one) => !isCage(one))
  return {
    // One that has no words any more is about to end.
    left: () => inside('session').flatMap(({ id }) => nameOf(id, shellLine) ?? []),
    signal(name, whom) {
      const found = name === 'SIGKILL' ? find(false, whom) : inside(whom)
      for (const { id } of found) send(id, name)
      return found.length > 0
    },
    shellEnded: () => void find(true, 'session'),
  }
}

/** Whether it is the first process of a namespace of its own. */
function isFirstInside(id: number): boolean {
  return /^NSpid:.*\t1$/m.test(readOf(id, 'status'))
}

/** A part of the shell itself is called as the shell is, which says nothing to anyone. */
function nameOf(id: number, shellLine: string): string | undefined {
  const line = commandLine(id)
  return line === shellLine ? 'a subshell' : line || undefined
}

/** What began before the shell did is not of it: its environment need not be read. */
function isMarked({ id, started }: ListedProcess, first: ListedProcess | undefined, mark: string): boolean {
  return started >= (first?.started ?? 0) && hasInEnvironment(id, mark)
}

function groupTree(shell: number): ProcessTree {
  let isOver = false
  const signal = (name: NodeJS.Signals | 0) => {
    // An empty group's number may be given to another.
    if (!isOver) isOver = !send(-shell, name)
    return !isOver
  }
  return {
    left: () => (signal(0) ? [`process group ${shell}`] : []),
    signal,
    shellEnded: () => void signal(0),
  }
}

/** Whether a process began with this in its environment; no where that may not be read. */
function hasInEnvironment(id: number, text: string): boolean {
  return readOf(id, 'environ').includes(text)
}

/** The words a process was started with. */
function commandLine(id: number): string {
  return readOf(id, 'cmdline').replaceAll('\0', ' ').trim()
}

const STEP = 20
/** What does not go by then hangs in the kernel and goes by no signal. */
const KILL_ROUNDS = 50

interface TreeEnd {
  readonly whom: Whom
  /** Milliseconds between the polite signal and the other. */
  readonly grace: number
  readonly time: ShellTime
}

/**
 * Ends the processes of a command: politely first, then for good. Each round looks again, for what was begun meanwhile.
 * Tells whether nothing runs any more: what belongs to another user can not be ended.
 */
export async function endTree(tree: ProcessTree, { whom, grace, time }: TreeEnd): Promise<boolean> {
  const { signal } = new AbortController()
  if (!tree.signal('SIGTERM', whom)) return true
  for (let waited = 0; waited < grace; waited += STEP) {
    await time.wait(STEP, signal)
    if (!tree.signal(0, whom)) return true
  }
  for (let round = 0; round < KILL_ROUNDS; round++) {
    if (!tree.signal('SIGKILL', whom)) return true
    await time.wait(STEP, signal)
  }
  return false
}

const live = new Set<ProcessTree>()

/** Ends a command with this program, should the program end before it. Returns the way to forget it again. */
export function watchTree(tree: ProcessTree): () => void {
  if (live.size === 0) process.on('exit', endAll)
  live.add(tree)
  return () => {
    if (live.delete(tree) && live.size === 0) process.off('exit', endAll)
  }
}

function endAll(): void {
  for (const tree of live) tree.signal('SIGKILL', 'all')
}
