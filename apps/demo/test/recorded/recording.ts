import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { compact } from '@nacre/compact'
import { createSession, type Edit, type Entry, type Plugin, resolveModel, type Session } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { fileStore } from '@nacre/core/node'
import { sessionMemory } from '@nacre/session-memory'
import { offline, type SimulatedModel, type Simulator, startSimulator, stillClock } from '@nacre/simulator'
import {
  askUser,
  createPermissions,
  files,
  instructions,
  isReadOnlyCommand,
  mcp,
  permissions,
  planMode,
  search,
  shell,
  skills,
  todos,
  toolResultStorage,
  web,
} from '@nacre/tools'
import { onTestFinished } from 'vitest'

/** A session as a kill has left it, and the requests that it is asked for again with, by their hashes. */
export interface Recording {
  readonly session: string
  readonly model: { readonly id: string; readonly window: number; readonly cacheEdits?: boolean }
  readonly time: number
  /** What was being asked when it was killed. */
  readonly sent: string
  /** The data folder. */
  readonly files: Readonly<Record<string, string>>
  readonly bodies: Readonly<Record<string, string>>
}

export interface Opening {
  /** As large as the model has it unless told, so that nothing has to be freed. */
  readonly window?: number
  /** What answers. Without it the server refuses every request, so that nothing of what is asked gets into the log. */
  readonly answers?: SimulatedModel
  readonly flags?: Readonly<Record<string, boolean>>
  readonly policy?: 'fidelity' | 'balanced'
  /** Whether tools are there that came after the recordings; not unless told. */
  readonly hasNewTools?: boolean
}

export interface Resumed {
  readonly session: Session
  readonly simulator: Simulator
  /** Where the data folder was copied to. */
  readonly home: string
  /** Every request to the byte, oldest first. */
  readonly bodies: readonly string[]
  log(): Promise<readonly Entry[]>
}

const PROJECT = 'shop'

export async function readRecording(name: string): Promise<Recording> {
  const packed = await readFile(join(import.meta.dirname, `${name}.json.br`))
  return JSON.parse(brotliDecompressSync(packed).toString()) as Recording
}

/** Goes on with a copy of a recorded session, with all layers, at the moment at which it was killed. */
export async function resume(recording: Recording, opening: Opening = {}): Promise<Resumed> {
  const { session: id, time, files: kept } = recording
  const { answers, flags = {}, policy = 'fidelity', hasNewTools = false } = opening
  const home = await mkdtemp(join(tmpdir(), 'nacre-recorded-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(kept)) {
    await mkdir(join(home, dirname(path)), { recursive: true })
    await writeFile(join(home, path), text)
  }
  const simulator = await startSimulator({
    model: answers ?? offline(),
    clock: stillClock(time),
    details: { seed: 1, secret: 'recorded', extensions: ['cache-edits'] },
  })
  onTestFinished(() => simulator.close())
  if (!answers) simulator.faults.add({ kind: 'spend-cap', probability: 1 })
  const bodies: string[] = []
  simulator.observe(({ body }) => bodies.push(body))
  const store = fileStore({ home, project: PROJECT })
  let count = 0
  const tools = toolPlugins(join(home, 'nowhere'))
  const session = await createSession({
    model: modelOf(recording, simulator.url, opening.window),
    system: 'You look after a small shop. Read before you judge, and name the file and the line.',
    plugins: [
      ...(hasNewTools ? tools : tools.map(asRecorded)),
      sessionMemory({ home, project: PROJECT }),
      compact({ policy }),
    ],
    // One of the two was recorded with it. What it has deleted stays deleted, and it must not go on.
    flags: { 'compact.cached': false, ...flags },
    store,
    cwd: home,
    open: { resume: id },
    details: { effects: { now: () => time, newId: () => `new-${++count}`, random: () => 0.5, wait: () => undefined } },
  })
  onTestFinished(() => session.close())
  return { session, simulator, home, bodies, log: () => store.peek?.(id) ?? Promise.resolve([]) }
}

function modelOf({ model: { id, cacheEdits = false } }: Recording, baseURL: string, window?: number) {
  const model = resolveModel(id, window === undefined ? {} : { window })
  return anthropicModel({ model, apiKey: 'any', baseURL, cacheEdits })
}

/** All that `standardTools` has, in its order. `nowhere`: what lies in the folders of a person must not be found. */
function toolPlugins(nowhere: string): readonly Plugin[] {
  const rules = createPermissions({ mode: 'accept-edits', rules: { allow: ['Bash'] } })
  return [
    permissions(rules),
    toolResultStorage(),
    instructions({ managed: nowhere, home: nowhere }),
    files({ guard: rules.guard }),
    shell({ isReadOnlyCommand }),
    search({ guard: rules.guard }),
    web(),
    todos(),
    askUser(),
    planMode(),
    skills({ folders: [] }),
    mcp({ files: { user: false, project: false } }),
  ]
}

/** What came after the recordings. A model that takes tools in the middle of a conversation is told of them on a resume. */
const NEW_TOOLS: ReadonlySet<string> = new Set(['NotebookEdit'])

/** A plugin with the tools that it had when the sessions were recorded. */
function asRecorded(plugin: Plugin): Plugin {
  return {
    ...plugin,
    async setup(context) {
      const parts = await plugin.setup(context)
      return { ...parts, tools: (parts.tools ?? []).filter(({ name }) => !NEW_TOOLS.has(name)) }
    },
  }
}

/** The request that would be sent now, to the byte. */
export async function nextRequest({ session, bodies }: Resumed): Promise<string> {
  const before = bodies.length
  for await (const _ of session.query());
  const [body, ...more] = bodies.slice(before)
  if (body === undefined || more.length > 0) throw new Error(`There were ${bodies.length - before} requests, not one.`)
  return body
}

/** Edits that an undo can mean: none of them was taken back, and each has changed what the model sees. */
export function editsInForce(log: readonly Entry[]): readonly Edit[] {
  const taken = new Set<string>()
  const found: Edit[] = []
  // What takes an edit back comes after it.
  for (const entry of log.toReversed()) {
    if (entry.kind !== 'edit' || taken.has(entry.id)) continue
    for (const change of entry.changes) if (change.kind === 'revert') taken.add(change.edit)
    if (entry.changes.some(({ kind }) => kind !== 'insert')) found.unshift(entry)
  }
  return found
}

/** The edits that were made since a recorded session was resumed. */
export async function editsSince({ log }: Resumed, { session, files: kept }: Recording): Promise<readonly Edit[]> {
  const [, recorded = ''] = Object.entries(kept).find(([path]) => path.endsWith(`${session}.jsonl`)) ?? []
  return (await log()).filter((entry) => entry.kind === 'edit' && !recorded.includes(`"id":"${entry.id}"`)) as Edit[]
}

/** What a command says, wherever the data folder lies. */
export async function told({ session, home }: Resumed, words: string): Promise<string> {
  const { name = words } = session.commands().find((command) => words.startsWith(command.name)) ?? {}
  return (await session.command(name, words.slice(name.length).trim())).replaceAll(home, '<home>')
}

/** What was spent on what, and what fills the context. */
export async function accountsOf(session: Session): Promise<Readonly<Record<string, unknown>>> {
  const sources = ['main', 'session_memory', 'compact'] as const
  const { total, estimated, threshold, window } = session.view().tokens
  return {
    all: session.cost(),
    ...Object.fromEntries(sources.map((source) => [source, session.cost(source)])),
    spent: (await session.inspect()).spent,
    tokens: { total, estimated, threshold, window },
    context: await session.accounting(),
  }
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
