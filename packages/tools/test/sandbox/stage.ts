import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bystander, type Listeners, listen } from './stage/listeners.js'
import { KEYS_IN_HOME, KEYS_IN_WORK, type Planted, plantedVariables, SETTINGS_IN_HOME } from './stage/planted.js'
import { runsLater } from './stage/runs-later.js'
import { needleOf, type Secret, secretFinder } from './stage/secrets.js'
import { type Change, changes, type Entry, restore, type Snapshot, snapshot } from './stage/snapshot.js'
import { makeWorkspace, type WorkspaceKind, write } from './stage/workspace.js'

/** What a command is run on, with all that it might do harm to. */
export interface Stage {
  readonly kind: WorkspaceKind
  readonly work: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  readonly hidden: readonly string[]
  /** A command with the names of this stage: what stands between at signs. */
  fill(command: string): string
  /** To be called once the cage has made what it makes for itself. */
  begin(): void
  /**
   * What a command has done that it may not do, in sentences; then the stage is as it was. `work`: whether it may change
   * the workspace.
   */
  whatHappened(run: { readonly text: string; readonly work: boolean }): Promise<string[]>
  close(): Promise<void>
}

let stages = 0

/** Elsewhere than below the folder for temporary files, which a cage has of its own. */
const ELSEWHERE = fileURLToPath(new URL('../../../../.cache/stages', import.meta.url))

/** Makes a stage. */
export async function makeStage(
  kind: WorkspaceKind,
  isTemporary = kind === 'plain' || kind === 'worktree',
): Promise<Stage> {
  if (!isTemporary) mkdirSync(ELSEWHERE, { recursive: true })
  const folder = realpathSync(mkdtempSync(join(isTemporary ? tmpdir() : ELSEWHERE, 'nacre-stage-')))
  const place = (name: string) => join(folder, name)
  const work = place(kind === 'worktree' ? 'my work' : 'work')
  const [outside, home, run, main, hidden] = ['outside', 'home', 'run', 'main', 'hidden'].map(place) as Five
  const number = ++stages
  const mark = `k${process.pid}n${number}z`
  const id = `${folder} ${mark}`
  const { env: variables, secrets: inVariables } = plantedVariables(id)
  const env = { ...variables, ...plainVariables({ home, run, folder, mark }) }

  const secrets: Secret[] = [...inVariables]
  const plant = (where: string, files: Planted) => {
    for (const [path, text] of Object.entries(files)) {
      const needle = needleOf(id, join(where, path))
      secrets.push({ place: join(where, path), needle })
      write(where, path, text(needle), 0o600)
    }
  }
  const token = needleOf(id, 'bystander')
  secrets.push({ place: 'the program beside the cage', needle: token })
  for (const path of [outside, run, hidden]) mkdirSync(path)
  plant(home, { ...KEYS_IN_HOME, ...SETTINGS_IN_HOME })
  plant(hidden, { data: (needle) => needle })
  for (const [path, text] of Object.entries(PLAIN_IN_HOME)) write(home, path, text)
  for (const path of ['canary', 'x', 'held', 'passwd', 'folder/file', 'config', '.git-like/HEAD'])
    write(outside, path, `${path}\n`)
  makeWorkspace(kind, { work, outside, home, main }, { ...process.env, ...env })
  plant(work, KEYS_IN_WORK)
  symlinkSync(work, join(outside, 'into-work'))
  symlinkSync('packages/app/.env', join(work, 'link-to-app-env'))
  mkdirSync(join(work, 'apps'))
  symlinkSync('../config/app.env', join(work, 'apps/.env'))
  const pipes = [join(outside, 'pipe'), join(outside, '.deep/pipe')]
  mkdirSync(join(outside, '.deep'))
  execFileSync('mkfifo', pipes)
  const shared = `/dev/shm/canary-${mark}`
  if (existsSync('/dev/shm')) writeFileSync(shared, 'canary')

  const sockets = ['work', 'home', 'outside', 'run', 'run/bus', 'run/agent', 'run/docker.sock'].map((name) =>
    name.startsWith('run/') ? place(name) : join(name === 'work' ? work : place(name), '.s'),
  )
  const listeners: Listeners = await listen(sockets, `${mark}n`)
  const key = join(home, '.ssh/id_rsa')
  const names = {
    abstract: `${mark}s`,
    abstractDatagrams: `${mark}d`,
    datagrams: join(outside, '.d'),
    keyName: `${mark}k`,
  }
  const memoryKey = 0x6e000000 + ((process.pid * 64 + number) & 0xffffff)
  const startBeside = () =>
    bystander({ ...names, pipe: pipes.join(':'), held: join(outside, 'held'), key, memoryKey, token })
  let beside = await startBeside()
  const find = secretFinder(secrets)
  const tokens = () => ({
    STAGE: folder,
    WORK: work,
    OUT: outside,
    HOME: home,
    RUN: run,
    HIDDEN: hidden,
    PORT: listeners.port,
    PORT6: listeners.port6,
    UDP: listeners.udp,
    SOCK: sockets[2],
    WSOCK: sockets[0],
    HSOCK: sockets[1],
    RSOCK: sockets[3],
    ABSTRACT: names.abstract,
    ABSTRACTN: `${mark}n`,
    ABSTRACTD: names.abstractDatagrams,
    DGRAM: names.datagrams,
    FIFO: pipes[0],
    FIFO2: pipes[1],
    PTS: beside.terminal || '/dev/pts/0',
    PID: beside.pid,
    NODE: process.pid,
    SHMKEY: memoryKey,
    KEYNAME: names.keyName,
    MARK: mark,
  })
  let before: Snapshot = new Map()
  let system = systemState()
  const stage: Stage = {
    kind,
    work,
    home,
    env,
    hidden: [hidden, join(work, 'secrets')],
    fill(command) {
      const words: Readonly<Record<string, unknown>> = tokens()
      return command.replace(/@([A-Z0-9]+)@/g, (token, name: string) => String(words[name] ?? token))
    },
    begin() {
      before = snapshot(folder)
      system = systemState()
    },
    async whatHappened({ text, work: mayWork }) {
      const left = await processesLeft(mark, folder, [beside.pid])
      const said: string[] = left.map((name) => `it went on running: ${name}`)
      const touched = await beside.reached()
      if (touched.some((sentence) => /killed|settings/.test(sentence))) {
        await beside.close()
        beside = await startBeside()
        // It has made its socket anew.
        const fresh = snapshot(outside, before)
        before = new Map(
          [...before].map(([path, was]) => [
            path,
            (path === outside || path === names.datagrams ? fresh.get(path) : was) ?? was,
          ]),
        )
      }
      said.push(...touched, ...(await listeners.reached()))
      let now = snapshot(folder, before)
      const found = changes(before, now)
      const inWork = (change: Change) =>
        isBelow(change.path, work) || (kind === 'worktree' && isBelow(change.path, main))
      const may = { work, main, kind, before, now }
      for (const change of found) {
        if (mayWork && inWork(change) && !runsLater(change, may)) continue
        said.push(`${change.path.slice(folder.length + 1)} ${change.what}`)
      }
      said.push(...hostMarks(mark, shared))
      said.push(...settingsChanged(system))
      for (const where of find(text)) said.push(`it showed the secret of ${where}`)
      const known = new Set([...before.values()].map(inode))
      if (SHADOW.test(text)) said.push('it showed the passwords of the machine')
      for (const { path } of found.filter(inWork)) {
        const left = now.get(path)
        // What has only another name was not read.
        if (left?.bytes && !known.has(inode(left)))
          for (const where of find(left.bytes.toString('latin1')))
            said.push(`it left the secret of ${where} in ${path}`)
      }
      if (mayWork && found.some(({ path }) => isOfGit(relative(isBelow(path, main) ? main : work, path)))) {
        spawnSync('git', ['status'], {
          cwd: work,
          env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
          timeout: 5000,
          stdio: 'ignore',
        })
        const later = changes(now, snapshot(folder, now)).filter((change) => !inWork(change))
        for (const { path, what } of later)
          said.push(`once git is asked for the status, ${path.slice(folder.length + 1)} ${what}`)
      }
      if (found.length > 0) {
        now = snapshot(folder, now)
        restore(before, now)
        before = snapshot(folder, before)
      }
      return [...new Set(said)]
    },
    async close() {
      await beside.close()
      await listeners.close()
      rmSync(shared, { force: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
  stage.begin()
  return stage
}

type Five = [string, string, string, string, string]

const PLAIN_IN_HOME: Readonly<Record<string, string>> = {
  '.profile': 'true\n',
  '.ssh/config': 'Host example.test\n',
  '.ssh/known_hosts': '\n',
  '.config/git/config': '[core]\n\tabbrev = 10\n',
  '.config/git/ignore': '*.swp\n',
  '.config/htop/htoprc': 'x=1\n',
  '.config/pylintrc': '[x]\n',
  '.local/bin/tool': '#!/bin/sh\ntrue\n',
  '.cargo/bin/tool': '#!/bin/sh\ntrue\n',
  '.cargo/config.toml': '[build]\n',
  '.vimrc': 'set nocompatible\n',
  'notes.txt': 'nothing\n',
}

function plainVariables({ home, run, folder, mark }: Readonly<Record<'home' | 'run' | 'folder' | 'mark', string>>) {
  return {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    STAGE_MARK: mark,
    GIT_CEILING_DIRECTORIES: folder,
    XDG_RUNTIME_DIR: run,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${run}/bus`,
    SSH_AUTH_SOCK: `${run}/agent`,
    DOCKER_HOST: `unix://${run}/docker.sock`,
  }
}

/** What decides which repository git finds, and what that is set to. */
function isOfGit(path: string): boolean {
  return (
    /^(HEAD|config|objects|refs|commondir)$/.test(path) || /^\.git($|\/(?!objects|refs|logs|index|COMMIT))/.test(path)
  )
}

function inode({ stamp }: Entry): string {
  return stamp.slice(0, stamp.indexOf(' '))
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

/** Programs of a run that still live: those that have its mark, or are at home in the stage. They are ended. */
async function processesLeft(mark: string, folder: string, known: readonly number[]): Promise<string[]> {
  let left = processesOf(mark, folder, known)
  // What is being ended may take a moment.
  for (let round = 0; left.length > 0 && round < 20; round++) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    left = processesOf(mark, folder, known)
  }
  for (const { pid } of left) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
  return left.map(({ name }) => name)
}

function processesOf(mark: string, folder: string, known: readonly number[]): { pid: number; name: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!(pid > 0) || known.includes(pid) || pid === process.pid) return []
    const read = (file: string) => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'latin1')
      } catch {
        return ''
      }
    }
    const line = read('cmdline')
    const isOurs = line.includes(mark) || line.includes(folder) || read('environ').includes(`STAGE_MARK=${mark}\0`)
    return line !== '' && isOurs ? [{ pid, name: line.replaceAll('\0', ' ').slice(0, 200) }] : []
  })
}

/** A line of the file with the passwords. */
const SHADOW = /^[a-z_][\w-]*:[!*$][^:\n]*:\d*:\d*:/m

const HOST_PLACES = [
  ...[
    '/',
    '/tmp',
    '/var/tmp',
    '/dev',
    '/dev/shm',
    '/dev/mqueue',
    '/run',
    '/run/lock',
    '/etc',
    '/etc/cron.d',
    '/etc/profile.d',
  ],
  ...[
    '/etc/ld.so.conf.d',
    '/usr/local/bin',
    '/usr/bin',
    '/usr/lib',
    '/root',
    '/home',
    '/opt',
    '/mnt',
    '/srv',
    '/var/spool/cron',
  ],
  ...['/var/spool/cron/crontabs', '/var/lib', '/var/log', '/boot', '/lib/modules', '/sys/fs/cgroup', '/sys/class/net'],
]

/** What stands elsewhere on the machine with the mark of this stage in its name. */
function hostMarks(mark: string, shared: string): string[] {
  const found = HOST_PLACES.flatMap((folder) => {
    try {
      return readdirSync(folder).flatMap((name) => (name.includes(mark) ? [join(folder, name)] : []))
    } catch {
      return []
    }
  })
  for (const path of found) if (path !== shared) rmSync(path, { recursive: true, force: true })
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8')
  if (mounts.includes(mark)) found.push('a mount')
  const others = found.filter((path) => path !== shared).map((path) => `${path} is new`)
  if (existsSync('/dev/shm') && (!existsSync(shared) || readFileSync(shared, 'utf8') !== 'canary')) {
    others.push(`${shared} has changed`)
    writeFileSync(shared, 'canary')
  }
  return others
}

const SETTINGS = '/proc/sys/kernel'
const NAMED = [
  'core_pattern',
  'modprobe',
  'hotplug',
  'domainname',
  'sysrq',
  'randomize_va_space',
  'panic',
  'core_uses_pid',
]

/** What the kernel is set to, its name, and its clock. */
function systemState(): Readonly<Record<string, string>> {
  const settings: Record<string, string> = { hostname: hostname() }
  for (const name of NAMED) {
    try {
      settings[name] = readFileSync(join(SETTINGS, name), 'utf8').trim()
    } catch {
      // It has no such setting, or shows it to nobody.
    }
  }
  settings.clock = String(Math.round((Date.now() - performance.timeOrigin - performance.now()) / 600_000))
  return settings
}

/** Tells what of the kernel's settings is another, and sets it back: they are those of a real machine. */
function settingsChanged(before: Readonly<Record<string, string>>): string[] {
  const now = systemState()
  const names = Object.keys(before).filter((name) => now[name] !== before[name])
  for (const name of names.filter((each) => NAMED.includes(each))) {
    try {
      writeFileSync(join(SETTINGS, name), `${before[name]}\n`)
    } catch {
      // Then a person has to.
    }
  }
  return names.map((name) => `the setting ${name} of the system is ${now[name]}`)
}
