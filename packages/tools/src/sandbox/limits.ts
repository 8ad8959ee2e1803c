import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { release, totalmem } from 'node:os'
import { promisify } from 'node:util'
import { type ControlGroup, controlGroup } from './control-group.js'

/** What bounds processes and memory of all that runs in the cages of one session. */
export interface CageLimits {
  /** For people: what is bounded, and by what. */
  readonly reason: string
  /** Words to put in front of a program so that it is bounded. */
  words(): readonly string[]
  close(): Promise<void>
}

export interface CageLimitsOptions {
  /** How many processes and threads; 4,096 unless told. */
  readonly processes?: number
  /** How many bytes; three quarters of the machine's unless told. */
  readonly memory?: number
  /** The ways that are tried, the best first. What they have in common is left: the bounds of each process alone. */
  readonly ways?: readonly ('control group' | 'namespace')[]
}

/**
 * Finds the best way that this machine has, by trying it. A control group bounds all commands together. Where none can be
 * made, the processes of an ordinary user are counted by the kernel, and those of root are counted, for each command, by a
 * namespace of processes. In any case a process alone gets no more memory than all may have, and when the machine has none
 * left, what runs in a cage is ended before all else.
 */
export async function cageLimits(options: CageLimitsOptions = {}): Promise<CageLimits> {
  const { processes = 4_096, memory = threeQuarters(), ways = ['control group', 'namespace'] } = options
  if (process.platform !== 'linux')
    return { reason: 'Nothing bounds processes and memory here.', words: () => [], close: async () => {} }
  const alone = await boundsAlone(processes, memory)
  const group = ways.includes('control group') ? await controlGroup({ processes, memory, accepts }) : undefined
  if (group) {
    const words = joining(group, group.boundsMemory ? [FIRST_TO_END] : [FIRST_TO_END, ...alone.memory])
    const reason = `A control group bounds ${group.boundsMemory ? 'processes and memory' : 'processes'} of all commands together.`
    return { reason, words: () => words, close: group.close }
  }
  const close = async () => {}
  const counted = shell([FIRST_TO_END, ...alone.processes, ...alone.memory])
  const isAny = (await outputOf([...counted, ...FORK])).trim() === 'yes'
  if (isAny && !(await isRealRoot())) {
    return { reason: 'The kernel counts the processes of this user.', words: () => counted, close }
  }
  const spaced = ways.includes('namespace') ? await ownNamespace(processes, alone.memory) : undefined
  if (spaced) return { reason: 'A namespace bounds the processes of each command.', words: () => spaced, close }
  return { reason: 'Nothing bounds the number of processes here.', words: () => (isAny ? counted : []), close }
}

function threeQuarters(): number {
  const given = process.constrainedMemory() ?? 0
  return Math.floor((given > 0 ? Math.min(given, totalmem()) : totalmem()) * 0.75)
}

/** Raises how gladly the kernel ends a process when there is no memory left. Where it is not told, nothing is lost. */
const FIRST_TO_END = '{ { echo 1000 >/proc/self/oom_score_adj; } 2>/dev/null || :; }'

/** Any process, to see whether one can be started at all. */
const FORK = ['/bin/sh', '-c', 'said=$(echo yes); echo "$said"'] as const

interface Bounds {
  readonly processes: readonly string[]
  readonly memory: readonly string[]
}

/**
 * What a process can be told about itself, and hands down. Of memory it is what it can write to and shares with nobody: to
 * bound addresses instead would end node, Java and Go at their start, which reserve much and use little. Programs that are
 * made to find errors of memory reserve by what is bounded here, so this bound can be lifted by `ulimit -d unlimited`. That
 * gives nothing away: who means harm starts many processes.
 */
async function boundsAlone(processes: number, memory: number): Promise<Bounds> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const running = Number(/\d+\/(\d+)/.exec(await readFile('/proc/loadavg', 'utf8').catch(() => ''))?.[1])
  const kilobytes = Math.floor(least(memory, /^Max data size +(\S+)/m.exec(limits)?.[1]) / 1024)
  // The kernel counts all that this user runs, not only what runs in cages.
  const counted = least(processes + running, /^Max processes +\S+ +(\S+)/m.exec(limits)?.[1])
  return {
    // Shells disagree about the letter, and for some of them the other one means something else.
    processes: Number.isSafeInteger(counted) ? [`{ ulimit -u ${counted} 2>/dev/null || ulimit -p ${counted}; }`] : [],
    memory: [`ulimit -S -d ${kilobytes}`],
  }
}

function least(wanted: number, there: string | undefined): number {
  const most = Number(there)
  return Number.isNaN(most) ? wanted : Math.min(wanted, most)
}

/** The kernel never counts the processes of root; who is root only in a namespace is somebody else to it. */
async function isRealRoot(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  const map = await readFile('/proc/self/uid_map', 'utf8').catch(() => '')
  return !/^\s*0\s+[1-9]/.test(map)
}

/** A control group that can't be joined ends the command: to run it without a bound is no way out. */
function joining({ entrance }: ControlGroup, bounds: readonly string[]): readonly string[] {
  return shell([`echo 0 >"$0"`, ...bounds], entrance)
}

function shell(bounds: readonly string[], name = 'sh'): readonly string[] {
  return ['/bin/sh', '-c', [...bounds, 'exec "$@"'].join(' && '), name]
}

async function accepts(group: ControlGroup): Promise<boolean> {
  const words = [...joining(group, []), '/bin/sh', '-c', 'cat /proc/self/cgroup']
  return (await outputOf(words)).includes(group.name)
}

/** The first kernel that counts by namespace; before, the number is one of the whole machine, and must not be touched. */
const COUNTS_BY_NAMESPACE = [6, 14] as const

/**
 * The largest id of a process bounds how many there are. Inside of the cage is another namespace, whose number may be any:
 * each of its processes has an id out here as well.
 */
async function ownNamespace(processes: number, bounds: readonly string[]): Promise<readonly string[] | undefined> {
  const [major = 0, minor = 0] = release().split('.').map(Number)
  const [from, part] = COUNTS_BY_NAMESPACE
  if (process.getuid?.() !== 0 || major < from || (major === from && minor < part)) return undefined
  const number = '/proc/sys/kernel/pid_max'
  // Ids below 300 are given once only, so there have to be more of them.
  const inside = shell([`echo ${processes + 300} >${number}`, FIRST_TO_END, ...bounds])
  const words = ['unshare', '--pid', '--fork', '--kill-child', ...inside]
  const said = await outputOf([...words, '/bin/sh', '-c', `cat ${number}`])
  return said.trim() === String(processes + 300) ? words : undefined
}

const PATIENCE = 10_000

async function outputOf([program = '', ...args]: readonly string[]): Promise<string> {
  const options = { timeout: PATIENCE, killSignal: 'SIGKILL' } as const
  return promisify(execFile)(program, args, options).then(
    ({ stdout }) => stdout,
    () => '',
  )
}
