import { createSession, memoryStore } from '@nacre/core'
import {
  type DreamStatus,
  dream,
  type Memories,
  type MemoryFolder,
  openFolders,
  openMemories,
  readStatus,
  type Scope,
} from '@nacre/dream'
import type { Settings } from '../settings/settings.js'
import { silentModel } from './silent-model.js'

/** Where the memories of a project are. */
interface MemoryPlace {
  readonly data: string
  readonly root: string
}

/** The memories of a project and the person's own, for whoever asks no model. */
export function memoriesOf({ data, root }: MemoryPlace, now: () => number): Promise<Memories> {
  return openMemories({ home: data, project: root, now })
}

/** How far the dream is that this process is in; `undefined` where it is in none. */
export async function dreamPhase({ data, root }: MemoryPlace): Promise<string | undefined> {
  const { person, project } = await openFolders({ home: data, project: root })
  const statuses = await Promise.all([project, person].map((folder) => readStatus(folder)))
  return statuses.find((status) => status?.status === 'running' && status.pid === process.pid)?.phase
}

/** What dreams of one folder do, did, and wait for. */
export interface DreamOutlook {
  readonly scope: Scope
  readonly path: string
  /** The one that runs or was the last; `null` where nothing was dreamt yet. */
  readonly last: DreamStatus | null
  /** In words, with why none is due. */
  readonly text: string
}

interface OutlookNeeds extends MemoryPlace {
  readonly settings: Settings
  readonly env: Readonly<Record<string, string | undefined>>
  now(): number
}

/** Asks the plugin itself, in a session that has no model and is not kept: who decides when a dream is due also says why not. */
export async function dreamOutlook({ data, root, settings, env, now }: OutlookNeeds): Promise<readonly DreamOutlook[]> {
  const session = await createSession({
    model: silentModel(),
    store: memoryStore(),
    cwd: root,
    plugins: [dream({ home: data, project: root, ...settings.dream })],
    details: { effects: { now }, flagSources: { settings: ownFlags(settings.flags), environment: dreamFlags(env) } },
  })
  try {
    const isOn = session.commands().some(({ name }) => name === 'dream status')
    const words = isOn ? await session.command('dream status') : ''
    const { person, project } = await openFolders({ home: data, project: root })
    return await Promise.all([
      outlookOn(project, isOn ? partAfter(words, 'Memories of this project: ') : OFF),
      outlookOn(person, isOn ? partAfter(words, 'Your own memories: ') : OFF),
    ])
  } finally {
    await session.close()
  }
}

const OFF = 'Long-term memory is switched off (flag dream).'

async function outlookOn(folder: MemoryFolder, text: string): Promise<DreamOutlook> {
  return { scope: folder.scope, path: folder.path, last: (await readStatus(folder)) ?? null, text }
}

/** What is said of one folder: up to where the other begins. */
function partAfter(words: string, head: string): string {
  const [, part = words] = words.split(head)
  return (part.split(/^(?:Memories of this project|Your own memories): /m)[0] ?? part).trim()
}

const isDreams = (name: string) => /^dream(\.|$)/.test(name)

/** The session has one plugin: a flag of another would be one that nothing has. */
function ownFlags(flags: Settings['flags'] = {}): Readonly<Record<string, boolean>> {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => isDreams(name)))
}

function dreamFlags(env: OutlookNeeds['env']): OutlookNeeds['env'] {
  const named = (env.NACRE_FLAGS ?? '').split(',').filter((pair) => isDreams(pair.split('=')[0]?.trim() ?? ''))
  return { NACRE_FLAGS: named.join(',') }
}
