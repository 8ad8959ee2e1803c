import { openSync } from 'node:fs'
import { mkdtemp, readFile, realpath, stat, unlink, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import { endLeftBehind, ownedFolder } from '@nacre/core/node'
import { isExecutable } from '../paths.js'
import { takeAway } from './aftermath.js'
import { bubblewrapArguments } from './bubblewrap.js'
import { cageViews, type LookedUp } from './cage-view.js'
import { cleanEnvironment } from './clean-environment.js'
import { bytesOf, shownPath } from './disk-names.js'
import { BEGUN } from './follow-cage.js'
import { hiddenInHome } from './home.js'
import { type CageLimits, cageLimits } from './limits.js'
import { type CageNetwork, cageNetwork } from './network.js'
import { CAGE_DESCRIPTORS, type Cage, type CagedInvocation, type Invocation } from './sandbox.js'
import { seatbelt } from './seatbelt.js'
import { seccompFilter } from './seccomp.js'

export interface SiteOptions {
  /** The home of the person; that of the system unless told. */
  readonly home?: string
  /** Places that are not there for a command, beside those that hold keys: where a program keeps its own data. */
  readonly hidden?: readonly string[]
  /** Where the private folders are made; the system's folder for temporary files unless told. */
  readonly folder?: string
  /** Whether a command may reach a host of the network; nobody may unless told. A text says why not. */
  allows?(host: string, port: number): Promise<true | string>
  /** The program bubblewrap, where it is not on the search path. */
  readonly program?: string
  now?(): number
}

/** What the cages of a session have in common, once one was made. */
export interface CageSite {
  /** A private folder that lasts as long as the session; what is in `/tmp` of a cage lies in `tmp`. */
  readonly folder: string
  /** Where what commands have left that would run later is kept, also when the session has ended. */
  taken(): Promise<string>
  readonly home: string
  readonly views: ReturnType<typeof cageViews>
  readonly limits: CageLimits
  readonly network: CageNetwork
  readonly bubblewrap: string
  /** The file of the filter for system calls. */
  readonly filter: string
}

const FOLDERS = 'nacre-cage-'

/** Places of this program, of which more may come: those that commands may look at, though they lie where nothing is shown. */
interface OwnPlaces {
  readonly shown: ReadonlySet<string>
  readonly hidden: ReadonlySet<string>
}

export async function openSite(options: SiteOptions, own: OwnPlaces): Promise<CageSite> {
  const { folder: parent = tmpdir(), hidden = [], now = Date.now } = options
  const isMac = process.platform === 'darwin'
  const bubblewrap = options.program ?? findBubblewrap()
  const bytes = isMac ? Buffer.alloc(0) : seccompFilter()
  if (bubblewrap === undefined && !isMac) throw new Error('bubblewrap is not installed')
  if (!bytes) throw new Error(`no filter for system calls is known for processors of the kind ${process.arch}`)
  await endLeftBehind(FOLDERS, parent)
  const folder = await realpath(await ownedFolder(FOLDERS, parent))
  const filter = join(folder, 'filter')
  await writeFile(filter, bytes, { mode: 0o400 })
  const given = options.home ?? homedir()
  const home = await realpath(given).catch(() => given)
  const allows = options.allows ?? (async () => 'nobody has allowed it.')
  return {
    folder,
    taken: takenFolder(await realpath(parent)),
    home,
    filter,
    bubblewrap: bubblewrap ?? '',
    views: cageViews({ folder, home, searchPath: process.env.PATH ?? '', hidden: [folder, ...hidden], own, now }),
    limits: await cageLimits(),
    network: cageNetwork({ folder: join(folder, 'network'), bubblewrap: bubblewrap ?? '', allows }),
  }
}

/** Made when it is first needed, by a name that nobody can have taken before. */
function takenFolder(parent: string): () => Promise<string> {
  let made: Promise<string> | undefined
  return () => {
    made ??= mkdtemp(join(parent, 'nacre-taken-'))
    return made
  }
}

export function findBubblewrap(): string | undefined {
  const searchPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return [...searchPath, '/usr/bin', '/bin'].map((folder) => join(folder, 'bwrap')).find(isExecutable)
}

/** Makes a program one in a cage. */
export async function enterCage(
  site: CageSite,
  invocation: Invocation,
  cage: Cage,
): Promise<Omit<CagedInvocation, 'follow'>> {
  const env = await cleanEnvironment(invocation.env)
  for (const name of TEMPORARY) delete env[name]
  const cleaned = { ...invocation, env: { ...env, HOME: site.home } }
  const found = await site.views.of(cage)
  const after = await afterwards(site, cage, found)
  if (process.platform === 'darwin') return { ...(await enterSeatbelt(site, cleaned, cage, found)), after }
  return { ...(await enterBubblewrap(site, cleaned, cage, found)), after }
}

/** In a cage `/tmp` is its own. */
const TEMPORARY = ['TMPDIR', 'TMP', 'TEMP', 'TEMPDIR']

async function afterwards(site: CageSite, cage: Cage, { view, places }: LookedUp): Promise<CagedInvocation['after']> {
  if (cage.kind === 'read') return async () => []
  const { workspace, writable = [] } = cage
  const path = cage.changesSettings ? view.settings : undefined
  const settings = path === undefined ? undefined : { path, content: await readFile(path), mode: await modeOf(path) }
  return async () => {
    const after = await site.views.look(workspace)
    return takeAway({ before: places, after, settings, writable, workspace, kept: site.taken })
  }
}

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}

type Entered = Omit<CagedInvocation, 'after' | 'follow'>

async function enterBubblewrap(
  site: CageSite,
  invocation: Invocation,
  cage: Cage,
  { view }: LookedUp,
): Promise<Entered> {
  const { folder, bubblewrap, filter, limits, network } = site
  const entered = cage.kind === 'work' ? await network.enter() : { prefix: [], env: {} }
  const [program = '', ...args] = [
    ...limits.words(),
    ...entered.prefix,
    ...[bubblewrap, '--args', String(FIRST), '--seccomp', String(FIRST + 1), '--'],
    ...[invocation.program, '-c', FIRST_PROCESS, 'sh', invocation.program, ...invocation.args],
  ]
  const odd = Object.entries(invocation.env).flatMap(([name, value]) =>
    /^[A-Za-z_]\w*$/.test(name) ? [] : ['--setenv', name, value ?? ''],
  )
  // What a shell can't spell it drops, and there are some on the way.
  const mounts = [...bubblewrapArguments(cage, view, invocation.cwd), ...odd]
  if (mounts.length > MOST_WORDS) throw new Error(tooMany(view))
  const words = await openWords(folder, mounts)
  return {
    program,
    args,
    cwd: '/',
    env: { ...invocation.env, ...entered.env },
    descriptors: [words, openSync(filter, 'r')],
    isHeld: true,
  }
}

const FIRST = CAGE_DESCRIPTORS.first

/** Bubblewrap takes 9,000, and those of the command line count. */
const MOST_WORDS = 8_900

function tooMany({ covered, guarded }: LookedUp['view']): string {
  const [first = ''] = covered.length > guarded.length ? covered : guarded
  const what = covered.length > guarded.length ? 'that may hold keys' : 'with settings that start programs'
  const count = Math.max(covered.length, guarded.length)
  return `The sandbox can't be made: there are ${count} files ${what}, and it can look after some 2,000. Such as ${shownPath(first)}. Remove or rename those that are none.`
}

/**
 * The first process of a cage: runs the command, says how it has ended, and stays until it is let go, so that what was left
 * behind can still be named. What a shell says of a command that was killed nobody has asked for.
 */
const FIRST_PROCESS = [
  'exec 2>/dev/null',
  `echo ${BEGUN} >&${CAGE_DESCRIPTORS.status}`,
  `"$@" ${CAGE_DESCRIPTORS.status}>&- ${CAGE_DESCRIPTORS.hold}<&-`,
  'code=$?',
  `echo "$code" >&${CAGE_DESCRIPTORS.status}`,
  `exec ${CAGE_DESCRIPTORS.status}>&- >/dev/null`,
  `read -r nothing <&${CAGE_DESCRIPTORS.hold}`,
  'exit "$code"',
].join('\n')

let opened = 0

/** A list of words is longer than a command line may be; the file is gone as soon as it is open. */
async function openWords(folder: string, words: readonly string[]): Promise<number> {
  const file = join(folder, `words-${++opened}`)
  await writeFile(file, Buffer.concat(words.map((word) => bytesOf(`${word}\0`))), { mode: 0o600, flag: 'wx' })
  const descriptor = openSync(file, 'r')
  await unlink(file)
  return descriptor
}

/** Without a namespace of its own there is no network that only the proxy leads out of: so there is none at all. */
async function enterSeatbelt(site: CageSite, invocation: Invocation, cage: Cage, { view }: LookedUp): Promise<Entered> {
  const { home } = site
  const own = [view.temporary, join(site.folder, 'home')]
  const worked = [...cage.workspace, ...view.repositories]
  const hidden = [...view.hidden, ...view.covered, ...(cage.hidden ?? []), ...(await hiddenInHome(home)), '/Users']
  const places = {
    hidden: hidden.filter((path) => !cage.revealed?.includes(path)),
    locked: [...view.guarded, ...(cage.locked ?? [])].filter((path) => !cage.writable?.includes(path)),
    writable: [...own, ...(cage.kind === 'work' ? [...worked, ...(cage.writable ?? [])] : [])],
    readable: [home, ...worked, ...view.shown, ...(cage.revealed ?? [])],
  }
  const env = { ...invocation.env, TMPDIR: view.temporary, npm_config_cache: join(view.temporary, 'npm') }
  return { ...seatbelt({ cage, invocation: { ...invocation, env }, places }), descriptors: [], isHeld: false }
}
