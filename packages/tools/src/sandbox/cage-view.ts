import { lstatSync } from 'node:fs'
import { lstat, mkdir, readdir, realpath, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { isWithin } from '../paths.js'
import type { CageView } from './bubblewrap.js'
import { type GuardedPlaces, guardedPlaces } from './guarded-places.js'
import { heldPipes, reachedPipes } from './held-pipes.js'
import {
  filteredSettings,
  HOMES,
  hiddenInHome,
  isKeyAround,
  isOfHome,
  programsOf,
  SYSTEM_KEYS,
  shownHome,
} from './home.js'
import type { Cage } from './sandbox.js'

/** What a session's cages have in common. */
export interface CageSite {
  /** A private folder that lasts as long as the session. */
  readonly folder: string
  /** The real home of the person. */
  readonly home: string
  /** Where programs are found. */
  readonly searchPath: string
  /** Not there, beside what holds keys: where this program keeps its own. */
  readonly hidden: readonly string[]
  /** Shown all the same, such as the outputs of commands; not there, such as what they are passed by. More may come. */
  readonly own: { readonly shown: ReadonlySet<string>; readonly hidden: ReadonlySet<string> }
  now(): number
}

export interface LookedUp {
  readonly view: CageView
  /** What was in each folder of the workspace before the command. */
  readonly places: GuardedPlaces
}

/** Looks up what a cage shows. Work for a command is proportional to what has changed since the one before it. */
export function cageViews(site: CageSite): {
  of(cage: Cage): Promise<LookedUp>
  /** What is in the workspace now. */
  look(workspace: readonly string[]): Promise<GuardedPlaces>
} {
  const lookers = new Map<string, ReturnType<typeof guardedPlaces>>()
  const look = async (workspace: readonly string[]) => {
    const found = await Promise.all(
      workspace.map((root) => {
        const looker = lookers.get(root) ?? guardedPlaces(root, { isGuardedToo: (path) => isOfHome(path, site.home) })
        lookers.set(root, looker)
        return looker.look()
      }),
    )
    return together(found)
  }
  const around = keysAround(site)
  const pipesHeld = nowAndThen(site.now, HELD_AGE, heldPipes)
  const fixed = prepare(site)
  const first = new Map<string, ReadonlySet<string>>()
  /** Pipes that were there when a workspace was first looked at: those that came later are of commands. */
  const ofOthers = (pipes: readonly string[], workspace: readonly string[]) => {
    const key = workspace.join('\0')
    const known = first.get(key) ?? new Set(pipes)
    first.set(key, known)
    return pipes.filter((path) => known.has(path))
  }
  return {
    look,
    async of(cage) {
      const { workspace } = cage
      const isHomeOpen = workspace.some((root) => isWithin(root, site.home))
      const [places, keys, base, pipes] = await Promise.all([
        look(workspace),
        around(workspace),
        fixed,
        pipesHeld('/proc'),
      ])
      if (cage.kind === 'work') await makeHooks(places)
      const source = join(site.folder, 'home')
      const mounts = isHomeOpen ? [] : await shownHome(site.home, source)
      const shown = [...base.shown, ...site.own.shown]
      const held = reachedPipes(pipes, {
        workspace,
        home: isHomeOpen ? undefined : site.home,
        seen: [...shown, ...mounts.map(({ target }) => target)],
      })
      const view: CageView = {
        ...base,
        shown,
        home: isHomeOpen ? undefined : { place: site.home, source, mounts },
        hidden: [
          ...base.hidden,
          ...[...site.own.hidden].filter((path) => !isTemporary(path)),
          ...(isHomeOpen ? await hiddenInHome(site.home) : []),
        ],
        replaced: isHomeOpen ? await filteredSettings(site.home, source) : [],
        covered: [
          ...new Set([
            ...places.secret,
            ...ofOthers(places.pipes, workspace),
            // What was found a while ago may be gone, and nothing can be mounted on that.
            ...(await existing([...keys, ...held])),
          ]),
        ],
        guarded: [...places.guarded, ...places.linked],
        settings: places.guarded.find((path) => path === join(places.git ?? '', 'config')),
        repositories: places.repositories,
      }
      return { view, places }
    },
  }
}

/** Keys of other projects, and pipes of programs of theirs. */
function keysAround({ home, now }: CageSite): (workspace: readonly string[]) => Promise<readonly string[]> {
  const look = nowAndThen(now, AROUND_AGE, async (place: string, workspace: readonly string[]) => {
    const isLookedInto = (folder: string) => !/\/\.[^/]+$/.test(folder) && !workspace.includes(folder)
    const found = guardedPlaces(place, { mostFolders: MOST_AROUND, isLookedInto, isSecretToo: isKeyAround })
    const { secret, pipes } = await found.look()
    return [...secret, ...pipes]
  })
  return async (workspace) => {
    const parents = workspace.map((root) => dirname(root)).filter((place) => place !== '/' && !isTemporary(place))
    const places = [...new Set([home, ...parents])]
    return (await Promise.all(places.map((place) => look(place, workspace)))).flat()
  }
}

/** Looks again only when some time has gone by, since it is not the work of a command to look there. */
function nowAndThen<More extends unknown[]>(
  now: () => number,
  age: number,
  look: (place: string, ...more: More) => Promise<readonly string[]>,
): (place: string, ...more: More) => Promise<readonly string[]> {
  const before = new Map<string, { readonly at: number; readonly found: Promise<readonly string[]> }>()
  return (place, ...more) => {
    const last = before.get(place)
    if (last && now() - last.at < age) return last.found
    const found = look(place, ...more)
    before.set(place, { at: now(), found })
    return found
  }
}

/** Where there is no folder for hooks one could be made and taken for the person's: an empty one means the same to git. */
async function makeHooks({ git, guarded, repositories }: GuardedPlaces): Promise<void> {
  for (const folder of [git, ...repositories])
    if (folder !== undefined && guarded.includes(join(folder, 'hooks')))
      await mkdir(join(folder, 'hooks')).catch(() => undefined)
}

/** Milliseconds for which is believed that no other project has got a new key. */
const AROUND_AGE = 60_000
const MOST_AROUND = 2_000
/** Milliseconds for which is believed that no program has begun to listen to another pipe. */
const HELD_AGE = 5_000

function isTemporary(place: string): boolean {
  return isWithin('/tmp', place) || isWithin('/var/tmp', place)
}

function together(found: readonly GuardedPlaces[]): GuardedPlaces {
  return {
    secret: found.flatMap(({ secret }) => secret),
    pipes: found.flatMap(({ pipes }) => pipes),
    guarded: found.flatMap(({ guarded }) => guarded),
    linked: found.flatMap(({ linked }) => linked),
    watched: new Map(found.flatMap(({ watched }) => [...watched])),
    git: found.find(({ git }) => git !== undefined)?.git,
    links: new Map(found.flatMap(({ links }) => [...links])),
    repositories: found.flatMap(({ repositories }) => repositories),
  }
}

type Fixed = Pick<CageView, 'temporary' | 'emptyFile' | 'lockedFile' | 'hidden' | 'homes' | 'shown'>

/** What does not change while the session lasts. */
async function prepare({ folder, home, searchPath, hidden }: CageSite): Promise<Fixed> {
  const temporary = join(folder, 'tmp')
  for (const path of [temporary, join(folder, 'home')]) await mkdir(path, { mode: 0o700 })
  const emptyFile = join(folder, 'empty')
  const lockedFile = join(folder, 'locked')
  await writeFile(emptyFile, '', { mode: 0o444 })
  await writeFile(lockedFile, '', { mode: 0o000 })
  const own = await realpath(userInfo().homedir).catch(() => home)
  const homes = HOMES.filter((place) => isFolder(place) && place !== home)
  const others = own === home ? [] : [own]
  return {
    temporary,
    emptyFile,
    lockedFile,
    hidden: [
      ...(await existing(SYSTEM_KEYS)),
      ...(await Promise.all(hidden.map((path) => realpath(path).catch(() => path)))),
    ],
    homes: [...homes, ...others.filter((place) => !homes.some((above) => isWithin(above, place)))],
    shown: await existing([
      ...(await programsIn(searchPath, [home, ...homes, ...others])),
      ...(await programsOf(others)),
    ]),
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      lstat(path).then(
        () => [path],
        () => [],
      ),
    ),
  )
  return found.flat()
}

/** Folders of programs that would not be seen, by the names that they are called by and where these lead. */
async function programsIn(searchPath: string, homes: readonly string[]): Promise<readonly string[]> {
  const own = dirname(process.execPath)
  const folders = [...searchPath.split(delimiter).filter((folder) => isAbsolute(folder)), own]
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)))
  const unseen = [...new Set([...folders, ...real])].filter(
    (folder) => isTemporary(folder) || homes.some((home) => isWithin(home, folder) && folder !== home),
  )
  // Beside the program itself lie its libraries.
  const besides = unseen.includes(own)
    ? (await readdir(dirname(own)).catch(() => [])).map((name) => join(dirname(own), name))
    : []
  return [...unseen, ...besides.filter((path) => /\/(lib|libexec|share|include)$/.test(path))]
}
