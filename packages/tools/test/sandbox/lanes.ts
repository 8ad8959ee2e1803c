import type { PermissionMode } from '../../src/index.js'
import { type CagedShell, cagedShell, type RanCommand, type Rules } from './caged-shell.js'
import { KINDS, type WorkspaceKind } from './stage/workspace.js'
import { makeStage, type Stage } from './stage.js'
import { BESIDE, THEN, type TrickGroup } from './tricks/trick.js'

/** How commands are judged: a mode, and rules of a person. */
export interface Setting {
  readonly mode: PermissionMode
  readonly rules?: Rules
  /** Whether the command is spelled so that its words tell nothing: then the cage alone is what holds. */
  readonly isHidden?: boolean
  /** The model says that it needs to write, and the person says yes to that, if to nothing else. */
  readonly asksToWrite?: boolean
}

/** Stages on each of which one command at a time is run, and which are used at the same time. */
export interface Lanes {
  /** Tries each command on one stage, or on all; gives what got through, with what it did. */
  tryAll(tricks: Tricks, setting: Setting, options?: TryOptions): Promise<Trial>
  close(): Promise<void>
}

type Tricks = Pick<TrickGroup, 'commands' | 'isContained'>

interface TryOptions {
  /** On a stage of each kind. */
  readonly onAll?: boolean
  /** Which stage is the first one's. */
  readonly first?: number
  /** Is told what each command has written. */
  heard?(command: string, text: string): void
}

interface Trial {
  readonly through: readonly string[]
  /** How many ran without a question, and how many were asked about or denied. */
  readonly ran: number
  readonly asked: number
}

/** At most for a command. */
const PATIENCE = 8_000

export async function makeLanes(): Promise<Lanes> {
  const lanes = await Promise.all(KINDS.map((kind) => makeLane(kind)))
  return {
    async tryAll({ commands, isContained }, setting, { onAll = false, first = 0, heard } = {}) {
      const trials = await Promise.all(
        lanes.map((lane, at) => {
          const own = onAll ? commands : commands.filter((_, index) => (index + first) % lanes.length === at)
          return lane.tryAll({ commands: own, isContained }, setting, heard)
        }),
      )
      return {
        through: trials.flatMap(({ through }) => through),
        ran: trials.reduce((sum, { ran }) => sum + ran, 0),
        asked: trials.reduce((sum, { asked }) => sum + asked, 0),
      }
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}

interface Lane {
  tryAll(tricks: Tricks, setting: Setting, heard: TryOptions['heard']): Promise<Trial>
  close(): Promise<void>
}

async function makeLane(kind: WorkspaceKind): Promise<Lane> {
  const stage = await makeStage(kind)
  let open: { readonly name: string; readonly shell: CagedShell } | undefined
  const close = async () => {
    await open?.shell.close()
    open = undefined
  }
  const shellFor = async (setting: Setting) => {
    const name = JSON.stringify(setting)
    if (open?.name === name) return open.shell
    await close()
    const { work: cwd, home, env, hidden } = stage
    const { mode, rules } = setting
    const shell = await cagedShell({ cwd, mode, home, env, hidden, ...(rules && { rules }) })
    open = { name, shell }
    // What the cage makes for itself is made before anything is compared.
    for (const access of ['read', 'write'] as const) await shell.run('true', { access, answer: 'yes' })
    stage.begin()
    return shell
  }
  return {
    async tryAll({ commands, isContained }, setting, heard) {
      const through: string[] = []
      let [ran, asked] = [0, 0]
      if (commands.length === 0) return { through, ran, asked }
      // In the private folder of a session a trick may have made what is called as something outside.
      if (!isContained) await close()
      const open = isContained ? [] : await openPlaces(await shellFor(setting), stage, setting)
      if (open.length > 0) return { through: open, ran, asked }
      for (const command of commands) {
        const isSession = command.includes(THEN) || command.includes(BESIDE)
        // What a session keeps must be as at its beginning.
        if (isSession) await close()
        const shell = await shellFor(setting)
        const { results, happened } = await tryOne(command, shell, stage, setting)
        heard?.(command, results.map(({ text }) => text).join('\n'))
        if (results.some((result) => result.ran)) ran++
        else asked++
        if (happened.length > 0) through.push(`[${kind}] ${command}\n    ${happened.join('\n    ')}`)
        if (isSession) await close()
        else if (results.some(({ text }) => text.includes('The working folder is now')))
          await shell.run(`cd '${stage.work}'`)
      }
      through.push(...(await stillWorks(await shellFor(setting), stage)))
      return { through, ran, asked }
    },
    async close() {
      await close()
      await stage.close()
    },
  }
}

async function tryOne(command: string, shell: CagedShell, stage: Stage, setting: Setting) {
  const results: RanCommand[] = []
  for (const step of stage.fill(command).split(THEN)) {
    const [first = '', ...others] = step.split(BESIDE)
    const running = [runStep(first, shell, setting)]
    for (const other of others) {
      // The one before it must be under way.
      await new Promise((resolve) => setTimeout(resolve, 400))
      running.push(runStep(other, shell, setting))
    }
    results.push(...(await Promise.all(running)))
  }
  const text = results.map((result) => result.text).join('\n')
  const happened = await stage.whatHappened({ text, work: results.some(({ ran }) => ran === 'work') })
  if (results.some(({ ran }) => ran === 'outside')) happened.unshift('it ran outside of the cage')
  return { results, happened }
}

async function runStep(command: string, shell: CagedShell, { isHidden, asksToWrite }: Setting): Promise<RanCommand> {
  const spelled = isHidden ? `eval "$(echo ${Buffer.from(command).toString('base64')} | base64 -d)"` : command
  if (!asksToWrite) return shell.run(spelled, { timeout: PATIENCE })
  const asked = await shell.run(spelled, { timeout: PATIENCE, access: 'write' })
  if (asked.ran || !asked.reason.startsWith('It asks to write in the workspace')) return asked
  return shell.run(spelled, { timeout: PATIENCE, access: 'write', answer: 'yes' })
}

/** What of the machine would be harmed by those that are not harmless: it is opened, and left as it is. */
const PLACES = [
  ...['/proc/sys/kernel/core_pattern', '/proc/sys/kernel/panic', '/proc/sys/vm/drop_caches', '/proc/sys/fs/file-max'],
  ...[
    '/proc/sysrq-trigger',
    '/sys/kernel/uevent_helper',
    '/sys/fs/cgroup/cgroup.procs',
    '/sys/devices/system/cpu/cpu1/online',
  ],
  ...['/etc/passwd', '/etc/hosts', '/dev/mem', '/dev/kmsg', '/dev/vda', '/dev/sda', '/dev/nvme0n1', '@OUT@/canary'],
]

async function openPlaces(shell: CagedShell, stage: Stage, setting: Setting): Promise<string[]> {
  const look = `perl -e 'for (@ARGV) { print "open: $_\n" if sysopen F, $_, 1 }' ${PLACES.join(' ')}; echo looked`
  const { text } = await runStep(stage.fill(look), shell, { ...setting, isHidden: true })
  if (!text.includes('looked')) return [`[${stage.kind}] it could not be looked whether the machine is open: ${text}`]
  return (text.match(/^open: .*$/gm) ?? []).map(
    (line) => `[${stage.kind}] the machine is ${line}, so nothing was tried`,
  )
}

/** If nothing ran any more, nothing would get through. */
async function stillWorks(shell: CagedShell, stage: Stage): Promise<string[]> {
  const { text } = await shell.run('echo alive', { access: 'read', answer: 'yes' })
  const broken =
    text.trim() === 'alive' ? [] : [`[${stage.kind}] the cage runs nothing any more: ${text.slice(0, 300)}`]
  await stage.whatHappened({ text, work: false })
  return broken
}
