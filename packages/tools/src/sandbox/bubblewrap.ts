import { existsSync, lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { isWithin } from '../paths.js'
import type { Mount } from './home.js'
import type { Cage } from './sandbox.js'

/** What a cage shows of a machine, looked up before a command is started. All paths are real and exist. */
export interface CageView {
  /** Private folders that last as long as the session. */
  readonly temporary: string
  readonly home: { readonly place: string; readonly source: string; readonly mounts: readonly Mount[] } | undefined
  /** An empty file that stands for one with keys. */
  readonly emptyFile: string
  /** An empty file that nobody can read. */
  readonly lockedFile: string
  /** Places that hold keys or belong to others: the folders and the files. */
  readonly hidden: readonly string[]
  /** Where the homes of others are. */
  readonly homes: readonly string[]
  /** Shown all the same: programs, the outputs of other commands. */
  readonly shown: readonly string[]
  /** Files in the workspace with keys, and pipes and sockets of programs outside: they look empty. */
  readonly covered: readonly string[]
  /** What would run later outside. */
  readonly guarded: readonly string[]
  /** The settings of the workspace's own repository. */
  readonly settings: string | undefined
  /** Repositories that work is committed to, outside of the workspace. */
  readonly repositories: readonly string[]
  /** Copies without keys that stand for files in a home that is the workspace. */
  readonly replaced: readonly Mount[]
}

/** Where programs keep what only runs as long as the machine does; of it, what programs are started from on some systems. */
const RUNNING = '/run'
const PROGRAMS_IN_RUN = ['/run/current-system', '/run/wrappers', '/run/opengl-driver', '/run/systemd/resolve']

/**
 * The words that put a program into a cage by bubblewrap. The sandbox library's own way is not taken: it keeps one policy for
 * a whole program, leaves empty files in the workspace where it forbids what is not there, gives no private folder for
 * temporary files, and hides no key that it is not told of.
 */
export function bubblewrapArguments(cage: Cage, view: CageView, cwd: string): string[] {
  const isWork = cage.kind === 'work'
  const { writable = [], revealed = [], locked = [] } = cage
  const isAllowed = (path: string) => writable.some((place) => isWithin(place, path))
  const isRevealed = (path: string) => revealed.some((place) => isWithin(path, place) || isWithin(place, path))
  const bind = isWork ? '--bind' : '--ro-bind'
  const folders = shallowFirst([...cage.workspace, ...view.repositories])
  const hidden = shallowFirst([...view.hidden, ...(cage.hidden ?? [])]).filter((path) => !isRevealed(path))
  const seen = [...folders, ...view.shown, ...writable]
  const hide = (path: string) => hiding(path, view, seen)
  const isOpen = (path: string) => isAllowed(path) || (cage.changesSettings === true && path === view.settings)
  const guarded = shallowFirst([...view.guarded, ...locked]).filter((path) => !isOpen(path))
  return [
    ...NAMESPACES,
    // In `work` the program is in the network of the session already.
    ...(isWork ? [] : ['--unshare-net']),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', ...kernel(view)],
    ...privateFolders(view.temporary),
    ...view.homes.flatMap((place) => ['--perms', '0755', '--tmpfs', place]),
    ...(view.home ? privateHome(view.home) : []),
    ...hidden.filter((path) => !folders.some((folder) => isWithin(folder, path))).flatMap(hide),
    ...view.shown.flatMap((path) => ['--ro-bind-try', path, path]),
    ...folders.flatMap((folder) => [bind, folder, folder]),
    ...(isWork ? pinned([...guarded, ...view.covered, ...hidden.filter((path) => isIn(folders, path))], folders) : []),
    ...(isWork ? guarded.filter((path) => isIn(folders, path)).flatMap((path) => ['--ro-bind-try', path, path]) : []),
    ...view.replaced.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ...hidden.filter((path) => isIn(folders, path)).flatMap(hide),
    ...view.covered
      .filter((path) => !isRevealed(path) && !hidden.some((folder) => isWithin(folder, path)))
      .flatMap((path) => ['--ro-bind-try', view.emptyFile, path]),
    ...shallowFirst(writable).flatMap((path) => ['--bind-try', path, path]),
    ...shallowFirst(revealed).flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--chdir', cwd],
  ]
}

/**
 * The shell in front of the command is the first process of the cage, and no process of bubblewrap: that one would be
 * outside of the filter for system calls, and within reach of those inside.
 */
const NAMESPACES = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--as-pid-1', '--die-with-parent', '--cap-drop', 'ALL'],
  // What root may do to files of its own whatever their mode is. It gives access to none that are somebody else's.
  ...(process.getuid?.() === 0 ? ['--cap-add', 'CAP_DAC_OVERRIDE'] : []),
]

/**
 * What the kernel shows of itself belongs to root, and to the root of this machine if that is who runs us. Bubblewrap means
 * to keep it from being written, but asks a question that the kernel answers for folders and not for the files in them.
 */
function kernel({ lockedFile }: CageView): string[] {
  const settings = ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'asound', 'driver', 'mtrr']
  const memory = ['kcore', 'keys', 'key-users', 'timer_list', 'sched_debug', 'latency_stats', 'kallsyms', 'kpagecount']
  return [
    ...settings.map((name) => `/proc/${name}`).flatMap((path) => ['--ro-bind-try', path, path]),
    ...memory
      .filter((name) => existsSync(`/proc/${name}`))
      .flatMap((name) => ['--ro-bind', lockedFile, `/proc/${name}`]),
  ]
}

function privateFolders(temporary: string): string[] {
  return [
    ...['--tmpfs', RUNNING],
    ...PROGRAMS_IN_RUN.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--bind', temporary, '/tmp', '--bind', temporary, '/var/tmp'],
  ]
}

function privateHome({ place, source, mounts }: NonNullable<CageView['home']>): string[] {
  return ['--bind', source, place, ...mounts.flatMap((mount) => ['--ro-bind-try', mount.source, mount.target])]
}

/** Nothing is to be found there; but what is shown below has to be reached. */
function hiding(path: string, { lockedFile }: CageView, seen: readonly string[]): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false })
  const perms = seen.some((place) => isWithin(path, place)) ? '0711' : '0000'
  if (found?.isDirectory()) return ['--perms', perms, '--tmpfs', path]
  return found?.isFile() ? ['--ro-bind-try', lockedFile, path] : []
}

/**
 * Each folder between the workspace and what is guarded or covered in it, mounted on itself: so it can't be renamed, with
 * another one made in its place, or to where nobody looks for keys.
 */
function pinned(guarded: readonly string[], folders: readonly string[]): string[] {
  const between = guarded.flatMap((path) => {
    const root = folders.findLast((folder) => folder !== path && isWithin(folder, path))
    return root === undefined ? [] : above(path, root)
  })
  return shallowFirst([...new Set(between)]).flatMap((folder) => ['--bind-try', folder, folder])
}

function above(path: string, root: string): string[] {
  const folder = dirname(path)
  return folder === root || folder === path ? [] : [...above(folder, root), folder]
}

function isIn(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => isWithin(folder, path))
}

function shallowFirst(paths: readonly string[]): string[] {
  return [...new Set(paths)].toSorted((one, other) => one.split('/').length - other.split('/').length)
}
