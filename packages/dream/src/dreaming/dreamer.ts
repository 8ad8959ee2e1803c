import { createRanker, type HookContext, isNacreError, type Tool, type ToolCall } from '@nacre/core'
import { isProcessAlive } from '@nacre/core/node'
import { readInbox } from '../change/inbox.js'
import { type Settled, settle } from '../change/settle.js'
import { deadPointers } from '../change/take.js'
import { createWorkspace, groupsOf, type Workspace } from '../change/workspace.js'
import { type MemoryFolder, SCOPES, type Scope } from '../folders/memory-folder.js'
import { editIndex, fitIndex, indexLine, pointersIn } from '../memory/index-file.js'
import { DAILY_LOGS, INDEX_FILE, toDay } from '../memory/memory.js'
import { readMemories } from '../memory/memory-set.js'
import { isProven, isUnused, type Uses } from '../memory/uses.js'
import { acquireConsolidation, type Held } from '../repository/consolidate-lock.js'
import type { FileChanges, Files } from '../repository/types.js'
import { type DreamContext, notify, openWorkspaces } from '../settings/context.js'
import { createEditor } from '../tool/editor.js'
import { MEMORY_TOOL, type MemoryCommand } from '../tool/memory-command.js'
import { memoryLine, searchMemories, viewMemories } from '../tool/reader.js'
import { askBreakers, askGates, type Gate } from './gates.js'
import { type DreamInput, readInput } from './input.js'
import { dreamPrompt } from './prompt.js'
import {
  type DreamPhase,
  type DreamStatus,
  keepStatus,
  readHistory,
  readStatus,
  type StatusKeeper,
  writeHistory,
} from './status.js'

const SOURCE = 'dream'
const MAX_TURNS = 30
const MAX_CALLS = 200
/** The same call so often, and it runs in circles. */
const REPEATED = 3
/** Dreams that may complete without anything entering the index before it is told. */
const WITHOUT_PROMOTION = 5
const AT_CLOSE = 60_000

/** What came of a dream, in words for a person. */
interface DreamReport {
  readonly status: 'completed' | 'failed' | 'killed' | 'refused' | 'nothing'
  readonly text: string
  readonly commit?: string
}

interface DreamRequest {
  readonly scope: Scope
  /** By a person's word: the gates of time and number are not asked. */
  readonly isByHand: boolean
  /** Shows what it would do, and does nothing. */
  readonly isDryRun?: boolean
}

/** Dreams in the background, one at a time. */
export interface Dreamer {
  /** Begins one where it is due. */
  onStop(context: HookContext): void
  run(context: Pick<HookContext, 'fork' | 'signal'>, request: DreamRequest): Promise<DreamReport>
  /** The one that runs in this session. */
  running(): { readonly scope: Scope; readonly status: DreamStatus } | undefined
  /** Ends it; nothing of it is kept. */
  kill(): boolean
  settled(): Promise<void>
  close(): void
}

export function createDreamer(dream: DreamContext): Dreamer {
  let killing: AbortController | undefined
  let running: { readonly scope: Scope; readonly status: DreamStatus } | undefined
  let atWork: Promise<void> | undefined
  let isClosing = false
  const run: Dreamer['run'] = async (context, request) => {
    if (killing) return { status: 'refused', text: 'A dream runs already in this session.' }
    killing = new AbortController()
    try {
      const signal = AbortSignal.any([context.signal, killing.signal])
      return await dreamOnce(dream, { ...request, fork: context.fork, signal }, (status) => {
        running = { scope: request.scope, status }
      })
    } finally {
      killing = undefined
      running = undefined
    }
  }
  const runDue = async (context: HookContext, signal: AbortSignal) => {
    for (const scope of SCOPES.toReversed()) {
      if (isClosing || signal.aborted) return
      const gate = await askGates(dream, dream.folders[scope])
      if (!gate.isOpen) continue
      const report = await run({ fork: context.fork, signal }, { scope, isByHand: false })
      if (report.status !== 'nothing')
        await notify(dream.store, report.status === 'failed' ? 'warning' : 'info', report.text)
    }
  }
  return {
    run,
    running: () => running,
    onStop(context) {
      if (atWork || isClosing || !dream.flag('consolidate')) return
      context.defer((signal) => {
        atWork = runDue(context, signal).finally(() => {
          atWork = undefined
        })
        return atWork
      })
    },
    kill() {
      killing?.abort()
      return killing !== undefined
    },
    settled: async () => atWork,
    close() {
      isClosing = true
      const cancel = dream.settings.timer(AT_CLOSE, () => killing?.abort())
      void (atWork ?? Promise.resolve()).finally(cancel)
    },
  }
}

interface Run extends DreamRequest {
  readonly fork: HookContext['fork']
  readonly signal: AbortSignal
}

/** One dream over one folder: lock, draft, judgement, and the lock put right whatever happened. */
async function dreamOnce(dream: DreamContext, run: Run, onChange: (status: DreamStatus) => void): Promise<DreamReport> {
  const folder = dream.folders[run.scope]
  const gate: Gate = run.isByHand ? { isOpen: true } : await askBreakers(dream, folder)
  if (!gate.isOpen) return { status: 'refused', text: `No dream: ${gate.reason}.` }
  if ((await folder.read()).files.size === 0)
    return { status: 'nothing', text: 'There are no memories to dream of yet.' }
  const lock = await acquireConsolidation(folder.path, { now: dream.now, isAlive: isProcessAlive })
  if ('refused' in lock) return { status: 'refused', text: `No dream: ${lock.refused}` }
  const keeper = keepStatus(folder, dream.now(), onChange)
  let isDone = false
  try {
    await keeper.update({})
    const report = await draftAndSettle(dream, run, folder, keeper)
    isDone = report.status === 'completed' && !run.isDryRun
    await ended(dream, folder, keeper, report)
    return report
  } catch (error) {
    return await broken(dream, run, folder, keeper, error)
  } finally {
    await release(lock.acquired, isDone)
  }
}

async function release(held: Held, isDone: boolean): Promise<void> {
  if (isDone) await held.succeed()
  else await held.putBack()
}

async function ended(dream: DreamContext, folder: MemoryFolder, keeper: StatusKeeper, { status, text }: DreamReport) {
  const failed = status === 'failed' || status === 'refused'
  await keeper.update({ status: failed ? 'failed' : 'completed', ended: dream.now(), reason: text })
  if (!failed) return
  const history = await readHistory(folder)
  await writeHistory(folder, { ...history, failures: history.failures + 1 })
}

async function broken(
  dream: DreamContext,
  run: Run,
  folder: MemoryFolder,
  keeper: StatusKeeper,
  error: unknown,
): Promise<DreamReport> {
  const isKilled = run.signal.aborted || isNacreError(error, 'ABORTED')
  const why = error instanceof Error ? error.message : String(error)
  const text = isKilled
    ? 'The dream was stopped; nothing of it was kept.'
    : `The dream failed and nothing was changed: ${why}`
  await keeper.update({ status: isKilled ? 'killed' : 'failed', ended: dream.now(), reason: text })
  if (!isKilled) {
    const history = await readHistory(folder)
    await writeHistory(folder, { ...history, failures: history.failures + 1 })
  }
  return { status: isKilled ? 'killed' : 'failed', text }
}

async function draftAndSettle(
  dream: DreamContext,
  run: Run,
  folder: MemoryFolder,
  keeper: StatusKeeper,
): Promise<DreamReport> {
  const input = await readInput(dream, folder)
  const copies = { ...(await openWorkspaces(dream)) }
  const base = (await (await folder.repository()).snapshot()).files
  const workspace = createWorkspace(base)
  copies[run.scope] = workspace
  const { uses } = await folder.read()
  const { dollars, vouched } = await draft(dream, run, { copies, input, keeper, uses, folder })
  if (run.isDryRun) return { status: 'completed', text: describeDraft(workspace) }
  const index = indexChanges(uses, dream.now())
  const cause = { by: 'dream' as const, summary: summaryOf, session: dream.sessionId, dollars }
  const settled = await settle(folder, workspace, {
    cause,
    now: dream.now(),
    isStrict: true,
    besides: (files) => index.changes(files),
    isBesidesEnough: true,
  })
  if (settled.refused.length > 0) {
    return { status: 'refused', text: `The dream was refused, and nothing was changed: ${settled.refused.join('; ')}.` }
  }
  if (settled.putOff !== undefined) {
    return {
      status: 'failed',
      text: `The dream was put off: ${settled.putOff} was edited while it ran. It is tried again.`,
    }
  }
  await folder.vouch(vouched)
  await input.claim()
  const told = await afterwards(folder, index.promoted())
  return { ...describeSettled(settled, index.promoted(), told), ...(settled.commit && { commit: settled.commit.id }) }
}

interface Drafting {
  readonly copies: Readonly<Record<Scope, Workspace>>
  readonly input: DreamInput
  readonly keeper: StatusKeeper
  readonly uses: Uses
  readonly folder: MemoryFolder
}

async function draft(dream: DreamContext, run: Run, drafting: Drafting) {
  const { copies, input, keeper } = drafting
  const editor = createEditor({
    workspaces: copies,
    witnesses: { said: input.said },
    surroundings: await dream.surroundings(),
    project: dream.project,
    now: dream.now,
    newId: dream.newId,
  })
  const circling = createCircleWatch()
  const task = dream.tasks.open({
    async perform(command) {
      circling(command)
      await keeper.update(progressOf(keeper.current(), command), describeCall(command))
      if (command.command === 'view') return viewMemories(copies, command)
      if (command.command === 'search') {
        return command.where === 'transcripts'
          ? input.search(command.query)
          : searchMemories(copies, command.query, createRanker)
      }
      mustStayIn(run.scope, command)
      return editor.write(command)
    },
  })
  try {
    const { usage, stop, text } = await run.fork({
      source: SOURCE,
      extends: 'prompt',
      prompt: [{ type: 'text', text: await promptFor(dream, run.scope, drafting) }],
      maxTurns: MAX_TURNS,
      isDetached: true,
      allow: (call, tool) => dream.flag('consolidate') && (task.allow(call) || mayLook(call, tool)),
      signal: run.signal,
    })
    await dream.spending.add({ by: 'dream', session: dream.sessionId, dollars: usage.dollars })
    await keeper.update({ dollars: usage.dollars }, text.slice(0, 300))
    if (circling.problem()) throw new Error(circling.problem())
    if (stop === 'refusal') throw new Error('The model refused to dream.')
    if (!dream.flag('consolidate')) throw new Error('Dreams were switched off.')
    return { dollars: usage.dollars, vouched: editor.vouched() }
  } finally {
    task.close()
  }
}

/** Of the session's other tools only looks: nothing from outside, no agents, nothing that changes anything. */
function mayLook({ name, input }: ToolCall, tool: Tool): boolean {
  if (name === MEMORY_TOOL || name.startsWith('mcp__') || /^(?:agent|task|sendmessage|recall)$/i.test(name))
    return false
  try {
    return tool.isReadOnly(tool.schema.parse(input)) === true && !/^Web/.test(name)
  } catch {
    return false
  }
}

/** A dream of one folder writes in that one alone. */
function mustStayIn(scope: Scope, command: MemoryCommand): void {
  const paths = [
    ...('path' in command ? [command.path] : []),
    ...('into' in command ? [command.into, ...command.paths] : []),
    ...('by' in command ? [command.by] : []),
    ...('to' in command ? [command.to] : []),
  ]
  const stray = paths.find((path) => path.startsWith('/memories/person/') !== (scope === 'person'))
  if (stray === undefined) return
  const own = scope === 'person' ? 'the person (/memories/person/…)' : 'the project (/memories/…)'
  throw new Error(`This dream is about the memories of ${own}, and ${stray} is none of them.`)
}

interface CircleWatch {
  (command: MemoryCommand): void
  problem(): string
}

/** Stops a dream that runs in circles or does not end. */
function createCircleWatch(): CircleWatch {
  const seen = new Map<string, number>()
  let calls = 0
  let problem = ''
  const watch = (command: MemoryCommand) => {
    const key = JSON.stringify(command)
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    calls += 1
    if (times > REPEATED) problem = `it ran in circles: ${describeCall(command)} for the ${times}th time`
    if (calls > MAX_CALLS) problem = `it made more than ${MAX_CALLS} calls`
    if (problem !== '') throw new Error(`Stop: ${problem}.`)
  }
  return Object.assign(watch, { problem: () => problem })
}

const PHASES: Readonly<Partial<Record<MemoryCommand['command'], DreamPhase>>> = {
  view: 'orient',
  search: 'gather',
  delete: 'prune',
}
const ORDER: readonly DreamPhase[] = ['orient', 'gather', 'consolidate', 'prune']

function progressOf({ phase, calls, paths, state }: DreamStatus, command: MemoryCommand): Partial<DreamStatus> {
  const isWrite = command.command !== 'view' && command.command !== 'search'
  const reached = PHASES[command.command] ?? 'consolidate'
  const path = 'path' in command ? command.path : 'into' in command ? command.into : undefined
  return {
    calls: calls + 1,
    // Phases only go on: a second look does not lead back.
    phase: ORDER.indexOf(reached) > ORDER.indexOf(phase) ? reached : phase,
    state: isWrite ? 'updating' : state,
    paths: isWrite && path !== undefined && !paths.includes(path) ? [...paths, path] : paths,
  }
}

function describeCall(command: MemoryCommand): string {
  const what =
    'path' in command
      ? command.path
      : 'query' in command
        ? `"${command.query}"`
        : `${command.paths.join(', ')} into ${command.into}`
  return `${command.command} ${what}`
}

async function promptFor(
  dream: DreamContext,
  scope: Scope,
  { copies, input, uses, folder }: Drafting,
): Promise<string> {
  const files = copies[scope].files()
  const { live, damaged } = readMemories(files)
  const indexed = pointersIn(files.get(INDEX_FILE) ?? '')
  const lines = [...live.values()]
    .filter(({ path }) => indexed.includes(path))
    .map((memory) => ({
      line: indexLine(memory),
      isPinned: memory.isPinned,
      uses: uses.of(memory.id).queries,
      day: memory.confirmed,
    }))
  const { leftOut } = fitIndex(lines)
  const waiting = await readInbox(folder)
  const noticed = [
    ...deadPointers(files).map((path) => `the index points to ${path}, which is not there`),
    ...damaged.map(({ path, problem }) => `${path} is no memory: ${problem}`),
    ...(leftOut > 0
      ? [`${leftOut} lines of the index have no room in the prompt: merge, or archive what is not needed`]
      : []),
    ...waiting.map(({ group }) => `waits for the person, leave it alone: ${group.reasons.join('; ')}`),
  ]
  const logs = [...files.keys()].filter((path) => path.startsWith(DAILY_LOGS)).slice(-7)
  return dreamPrompt({
    today: toDay(dream.now()),
    memories: [...live.values()].map((memory) => memoryLine(scope, memory)),
    noticed,
    sessions: input.sessions,
    logs: logs.map((path) => (scope === 'person' ? `person/${path}` : path)),
  })
}

/** Lines that use has earned come into the index, lines without use leave it: by counts, never by a model's word. */
function indexChanges(uses: Uses, now: number) {
  let promoted = 0
  return {
    promoted: () => promoted,
    changes(files: Files): FileChanges {
      const { live } = readMemories(files)
      const index = files.get(INDEX_FILE) ?? ''
      const pointed = new Set(pointersIn(index))
      const put = [...live.values()].filter((memory) => !pointed.has(memory.path) && isEarned(memory.id))
      const take = [...live.values()]
        .filter(
          (memory) =>
            pointed.has(memory.path) && !memory.isPinned && isUnused(uses.of(memory.id), memory.confirmed, now),
        )
        .map(({ path }) => path)
      promoted = put.length
      const next = editIndex(index, { put, take: [...take, ...deadPointers(files)] })
      return put.length + take.length === 0 && next.trim() === index.trim() ? new Map() : new Map([[INDEX_FILE, next]])
    },
  }
  function isEarned(id: string): boolean {
    return isProven(uses.of(id), now)
  }
}

async function afterwards(folder: MemoryFolder, promoted: number): Promise<string | undefined> {
  const history = await readHistory(folder)
  const withoutPromotion = promoted > 0 ? 0 : history.withoutPromotion + 1
  const isTold = promoted > 0 ? false : history.isTold
  const tell = withoutPromotion >= WITHOUT_PROMOTION && !isTold
  await writeHistory(folder, { failures: 0, withoutPromotion, isTold: isTold || tell })
  return tell
    ? `Nothing has entered the index in ${withoutPromotion} dreams: either nothing is recalled and used, or nothing worth it is learnt. Look at nacre memory list.`
    : undefined
}

function summaryOf(made: number): string {
  if (made === 0) return 'Dreamt, and left the memories as they are'
  return `Dreamt: ${made} ${made === 1 ? 'change' : 'changes'}`
}

function describeDraft(workspace: Workspace): string {
  const groups = groupsOf(workspace)
  if (groups.length === 0) return 'The dream would change nothing.'
  return `The dream would do this; nothing was changed:\n${groups.flatMap(({ reasons }) => reasons.map((reason) => `- ${reason}`)).join('\n')}`
}

function describeSettled({ commit, inbox }: Settled, promoted: number, told: string | undefined): DreamReport {
  const details = commit?.cause.details ?? []
  const lines = [
    commit || inbox.length > 0 ? 'The dream is over.' : 'The dream is over; it left the memories as they are.',
    ...details.map((line) => `- ${line}`),
    ...(promoted > 0 ? [`- ${promoted} entered the index by use`] : []),
    ...(commit ? [`Undo it with: nacre memory undo ${commit.id.slice(0, 8)}`] : []),
    ...(inbox.length > 0
      ? [
          `${inbox.length} ${inbox.length === 1 ? 'change waits' : 'changes wait'} for you (nacre memory inbox):`,
          ...inbox.map(({ reasons }) => `- ${reasons.join('; ')}`),
        ]
      : []),
    ...(told === undefined ? [] : [told]),
  ]
  return { status: 'completed', text: lines.join('\n') }
}

/** What `dream status` says: never that something is pending without saying what it waits for. */
export async function describeStatus(dream: DreamContext, dreamer: Dreamer): Promise<string> {
  const texts = await Promise.all(
    SCOPES.map(async (scope) => {
      const folder = dream.folders[scope]
      const own = dreamer.running()
      const status = own?.scope === scope ? own.status : await readStatus(folder)
      const gate = await askGates(dream, folder, true)
      const whose = scope === 'person' ? 'Your own memories' : 'Memories of this project'
      const next = gate.isOpen
        ? 'A dream is due, and begins at the end of the next turn.'
        : `No dream yet: ${gate.reason}.`
      return `${whose}: ${status ? describeRun(status) : 'nothing was dreamt yet.'} ${next}`
    }),
  )
  return texts.join('\n')
}

function describeRun({ status, state, phase, calls, paths, started, ended, reason, turns }: DreamStatus): string {
  const when = new Date(ended ?? started).toISOString().slice(0, 16).replace('T', ' ')
  if (status === 'running') {
    const last = turns
      .slice(-5)
      .map((turn) => `\n  ${turn}`)
      .join('')
    return `a dream runs since ${when}, ${state}, phase ${phase}, ${calls} calls, ${paths.length} files written.${last}`
  }
  return `the last dream ${status === 'completed' ? 'was' : `${status === 'killed' ? 'was stopped' : 'failed'}`} on ${when}. ${reason?.split('\n')[0] ?? ''}`
}
