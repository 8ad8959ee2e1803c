import { posix } from 'node:path'
import type { Cage, Invocation } from './sandbox.js'

/** Real places, computed by whoever asks. Where two of them speak of a path, the one that is nearer to it decides. */
export interface SeatbeltPlaces {
  /** Not to be seen at all. */
  readonly hidden: readonly string[]
  /** Not to be written. */
  readonly locked: readonly string[]
  /** May be written, and read. In a cage of the kind `read` these are private ones only. */
  readonly writable: readonly string[]
  /** May be read, though they lie in hidden ones. */
  readonly readable: readonly string[]
}

export interface SeatbeltOptions {
  readonly cage: Cage
  readonly invocation: Invocation
  readonly places: SeatbeltPlaces
  /** Of the proxies on loopback, which are the only way out of a cage of the kind `work`. */
  readonly proxyPorts?: { readonly http: number; readonly socks: number }
}

export const SEATBELT_REASON = 'sandbox-exec: its profile is tested as text only, and untried on a Mac.'

/**
 * A program in a cage of macOS. The profile is written here. That of `@anthropic-ai/sandbox-runtime` comes as one line for a
 * shell, with variables of the environment of its own; it takes a place with a bracket in its name for a pattern, protects
 * what lies below the folder in which we are rather than the workspace, lets folders that are hidden be looked at, and lets
 * a program talk to keychains, open applications outside and use the terminal. What a program needs of the system is taken
 * over from there: services, devices and settings that are known to do.
 *
 * Weaker than on Linux: names of hidden places are seen in the folder around them, `/tmp` is not private, there is no
 * loopback beside the proxies, and nothing bounds processes and memory.
 */
export function seatbelt({ cage, invocation, places, proxyPorts }: SeatbeltOptions): Invocation {
  const ports = cage.kind === 'work' && proxyPorts ? [proxyPorts.http, proxyPorts.socks] : []
  const profile = [
    ...['(version 1)', '(deny default)'],
    ...SYSTEM,
    ...network(ports),
    ...reading(places),
    ...writing(places),
    ...staying(places),
    ...TERMINAL,
  ].join('\n')
  const args = ['-p', profile, '--', invocation.program, ...invocation.args]
  return { ...invocation, program: '/usr/bin/sandbox-exec', args }
}

const SERVICES = [
  'audio.systemsoundserver distributed_notifications@Uv3 FontObjectsServer fonts logd lsd.mapdb PowerManagement.control',
  'system.logger system.notification_center system.opendirectoryd.libinfo system.opendirectoryd.membership bsd.dirhelper',
]

const SETTINGS = [
  'hw.activecpu hw.busfrequency_compat hw.byteorder hw.cacheconfig hw.cachelinesize_compat hw.cpufamily hw.cpufrequency',
  'hw.cpufrequency_compat hw.cputype hw.l1dcachesize_compat hw.l1icachesize_compat hw.l2cachesize_compat',
  'hw.l3cachesize_compat hw.logicalcpu hw.logicalcpu_max hw.machine hw.memsize hw.ncpu hw.nperflevels hw.packages',
  'hw.pagesize_compat hw.pagesize hw.physicalcpu hw.physicalcpu_max hw.tbfrequency_compat hw.vectorunit kern.argmax',
  'kern.bootargs kern.hostname kern.maxfiles kern.maxfilesperproc kern.maxproc kern.ngroups kern.osproductversion',
  'kern.osrelease kern.ostype kern.osvariant_status kern.osversion kern.secure_kernel kern.tcsm_available',
  'kern.tcsm_enable kern.usrstack64 kern.version kern.willshutdown machdep.cpu.brand_string machdep.ptrauth_enabled',
  'security.mac.lockdown_mode_state sysctl.proc_cputype vm.loadavg',
]

/** Of other processes their names may be asked for, but not their arguments and environments. */
const SETTINGS_BELOW = [
  'hw.optional.arm hw.optional.armv8_ hw.perflevel kern.proc.all kern.proc.pgrp. kern.proc.pid. machdep.cpu. net.routetable.',
]

const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper']
const WRITABLE_DEVICES = ['/dev/null', '/dev/zero', '/dev/dtracehelper', '/dev/stdout', '/dev/stderr']

const SYSTEM: readonly string[] = [
  '(allow process-exec)',
  '(allow process-fork)',
  '(allow process-info* (target same-sandbox))',
  '(allow signal (target same-sandbox))',
  '(allow mach-priv-task-port (target same-sandbox))',
  '(allow ipc-posix-shm)',
  '(allow ipc-posix-sem)',
  '(allow iokit-get-properties)',
  '(allow system-socket (require-all (socket-domain AF_SYSTEM) (socket-protocol 2)))',
  ...rule(
    'allow mach-lookup',
    named(SERVICES, (name) => `(global-name ${string(`com.apple.${name}`)})`),
  ),
  ...rule(
    'allow sysctl-read',
    named(SETTINGS, (name) => `(sysctl-name ${string(name)})`),
  ),
  ...rule(
    'allow sysctl-read',
    named(SETTINGS_BELOW, (name) => `(sysctl-name-prefix ${string(name)})`),
  ),
  '(allow sysctl-write (sysctl-name "kern.tcsm_enable"))',
  ...rule('allow file-ioctl', DEVICES.map(literal)),
  ...rule('allow file-write*', [...WRITABLE_DEVICES.map(literal), subpath('/dev/fd')]),
]

/** Nothing of the terminal outside, in which keys could be put: not even to be opened by its name. Last, so it holds. */
const TERMINAL: readonly string[] = rule('deny file-read* file-write* file-ioctl', [
  literal('/dev/tty'),
  literal('/dev/ptmx'),
  '(regex #"^/dev/(tty|pty)[a-zA-Z0-9.]+$")',
])

function named(lines: readonly string[], filter: (name: string) => string): readonly string[] {
  return lines.flatMap((line) => line.split(' ')).map(filter)
}

/** Loopback reaches what others run on this machine as well, so of that there are the proxies only. */
function network(ports: readonly number[]): readonly string[] {
  return rule(
    'allow network-outbound',
    [...new Set(ports)].map((port) => `(remote ip "localhost:${port}")`),
  )
}

function reading({ hidden, writable, readable }: SeatbeltPlaces): readonly string[] {
  const open = [...new Set([...readable, ...writable])]
  const inside = open.flatMap((place) =>
    spellings(place).flatMap((each) => foldersAround(each, hidden.flatMap(spellings))),
  )
  return [
    '(allow file-read*)',
    ...nearestLast([
      ...open.map((place) => ({ place, words: 'allow file-read* process-exec' })),
      // What can't be read could be started all the same.
      ...hidden.map((place) => ({ place, words: 'deny file-read* process-exec' })),
    ]),
    // Whoever follows a path looks at each folder on it, though not at what else is in there.
    ...rule('allow file-read-metadata', [...new Set(inside)].map(literal)),
  ]
}

/** Folders between a place and those of `ends` that it lies in. */
function foldersAround(place: string, ends: readonly string[]): readonly string[] {
  return ancestors(place).filter((folder) => ends.some((end) => folder === end || folder.startsWith(`${end}/`)))
}

function writing({ hidden, locked, writable }: SeatbeltPlaces): readonly string[] {
  return nearestLast([
    ...writable.map((place) => ({ place, words: 'allow file-write*' })),
    ...locked.map((place) => ({ place, words: 'deny file-write*' })),
    ...hidden.map((place) => ({ place, words: 'deny file-write*' })),
  ])
}

/** A rule speaks of a path, so a folder on the way to what it protects must keep its name. */
function staying({ hidden, locked, writable }: SeatbeltPlaces): readonly string[] {
  const roots = writable.flatMap(spellings)
  const folders = [...hidden, ...locked].flatMap(spellings).flatMap((place) => [place, ...foldersAround(place, roots)])
  return rule('deny file-write-unlink', [...new Set(folders)].map(literal))
}

interface Ruled {
  readonly place: string
  readonly words: string
}

/** The last rule that fits decides. Of two about the same place that is the one that forbids. */
function nearestLast(ruled: readonly Ruled[]): readonly string[] {
  const all = ruled.flatMap(({ place, words }) => spellings(place).map((each) => ({ place: each, words })))
  const depth = ({ place, words }: Ruled) =>
    place.split('/').filter(Boolean).length * 2 + (words.startsWith('deny') ? 1 : 0)
  return all
    .map((each) => ({ ...each, depth: depth(each) }))
    .sort((one, other) => one.depth - other.depth)
    .flatMap(({ place, words }) => rule(words, [subpath(place)]))
}

/** Without a filter a rule would speak of everything. */
function rule(words: string, filters: readonly string[]): readonly string[] {
  return filters.length === 0 ? [] : [`(${words}\n  ${filters.join('\n  ')})`]
}

/** Some folders of the system are links, and a rule speaks of where they lead. */
function spellings(place: string): readonly string[] {
  const plain = posix.normalize(place).replace(/(?<=.)\/$/, '')
  return /^\/(tmp|var|etc)(\/|$)/.test(plain) ? [plain, `/private${plain}`] : [plain]
}

function ancestors(place: string): readonly string[] {
  const folder = posix.dirname(place)
  return folder === place ? [] : [folder, ...ancestors(folder)]
}

function literal(path: string): string {
  return `(literal ${string(path)})`
}

function subpath(path: string): string {
  return `(subpath ${string(path)})`
}

function string(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
