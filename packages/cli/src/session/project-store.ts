import { isAbsolute } from 'node:path'
import { NacreError, type SessionSummary, type Store } from '@nacre/core'
import { dataFolder, type FileStore, fileStore, type StoreNotice } from '@nacre/core/node'
import type { Terminal } from '../terminal/terminal.js'

/** Where the sessions of a project are kept. */
export function projectStore(
  terminal: Pick<Terminal, 'env' | 'home' | 'now'>,
  root: string,
  report: (notice: StoreNotice) => void = () => undefined,
): FileStore {
  return fileStore({ home: dataPlace(terminal), project: root, report, now: terminal.now })
}

/** The folder in which the program keeps sessions, notes and trust. */
export function dataPlace({ env, home }: Pick<Terminal, 'env' | 'home'>): string {
  const folder = dataFolder({ env, platform: process.platform, home })
  if (isAbsolute(folder)) return folder
  // A folder below the current one could bring along its own trust.
  const name = ['NACRE_HOME', 'XDG_DATA_HOME', 'LOCALAPPDATA'].find((each) => env[each])
  throw new NacreError(
    'INVALID_SETTINGS',
    `The variable ${name} is '${env[name ?? '']}'; it has to be a whole path, such as /home/me/.nacre-data.`,
  )
}

/** Most that are named where more than one is meant. */
const NAMED = 8

/** The sessions that a text may mean: the one with that id, those whose id begins with it, or those with it in the title. */
export async function matchSessions(store: Pick<Store, 'list'>, text: string): Promise<readonly SessionSummary[]> {
  const wanted = text.trim().toLowerCase()
  const all: SessionSummary[] = []
  for await (const summary of store.list()) all.push(summary)
  if (wanted === 'latest') return all.slice(0, 1)
  const kinds: readonly ((summary: SessionSummary) => boolean)[] = [
    ({ id }) => id === text.trim(),
    ({ id }) => wanted !== '' && id.toLowerCase().startsWith(wanted),
    ({ title }) => title.toLowerCase().includes(wanted),
  ]
  return kinds.map((fits) => all.filter(fits)).find((found) => found.length > 0) ?? []
}

/** The one session that is meant, or an error that says why none is. */
export async function findSession(store: Pick<Store, 'list'>, text: string): Promise<SessionSummary> {
  const [found, ...others] = await matchSessions(store, text)
  if (!found) {
    throw new NacreError(
      'SESSION_NOT_FOUND',
      `There is no session '${text}' in this project. List them with: nacre sessions`,
    )
  }
  if (others.length > 0) throw ambiguous(text, [found, ...others])
  return found
}

export function ambiguous(text: string, found: readonly SessionSummary[]): NacreError {
  // A title is what somebody said, maybe in another program.
  const lines = found.slice(0, NAMED).map(({ id, title }) => `  ${id}  ${title.replaceAll(/\p{Cc}/gu, '')}`)
  const more = found.length > NAMED ? [`  and ${found.length - NAMED} more`] : []
  const which = text === '' ? `There are ${found.length} sessions` : `'${text}' may be any of ${found.length} sessions`
  const message = [`${which}; name one by its id:`, ...lines, ...more].join('\n')
  return new NacreError('SESSION_NOT_FOUND', message)
}
