import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AssistantEntry,
  estimateBlock,
  type HookContext,
  type Id,
  isNacreError,
  type MessageEntry,
  type NoticeEntry,
  type SessionStore,
  type StateEntry,
  type Timer,
  type View,
} from '@nacre/core'
import { dataFolder } from '@nacre/core/node'
import {
  firstAfter,
  firstUnfolded,
  OWNER,
  type Place,
  readCoverage,
  stateEntry,
  type TurnNumbers,
} from '../covering/coverage.js'
import { applyEdits, type NoteEdit, type Notes, oversizeOf, writeNotes } from '../notes/notes.js'
import type { SessionMemoryFlag, Settings } from '../settings/settings.js'
import type { FoundNotes, NotesStore } from '../store/notes-store.js'
import type { PendingEdits } from './update-tool.js'

/** What the parts of the plugin share in one session. */
export interface MemoryContext {
  readonly settings: Settings
  readonly store: SessionStore
  readonly notesStore: NotesStore
  readonly turns: TurnNumbers
  readonly pendingEdits: PendingEdits
  readonly spending: Spending
  /** Read at each use: flags change while a session runs. */
  flag(name: SessionMemoryFlag): boolean
  now(): number
}

/** Keeps the notes up to date beside the conversation, one update at a time. */
export interface Updater {
  /** Is told of each response, and begins an update where one is due. While one runs, the newest that is due waits. */
  onResponse(response: AssistantEntry, context: HookContext): void
  /** Resolves when the running update and the one behind it have ended, or are not to be waited for any longer. */
  settled(signal: AbortSignal): Promise<void>
  /** Why there are no more updates. */
  stopped(): string | undefined
  /** Lets the running update come to its end, and begins no other. */
  close(): void
}

/** Milliseconds that a compaction waits for a running update, and after which it waits no more. */
const WAIT = 15_000
const DEAD = 60_000
/** Milliseconds after which an update is given up. */
const GIVEN_UP = 300_000
/** So many in a row, and there are no more updates. */
const FAILURES = 3

interface Trigger {
  readonly response: AssistantEntry
  readonly context: HookContext
}

export function createUpdater(memory: MemoryContext): Updater {
  const { settings, now } = memory
  let running: { readonly since: number } | undefined
  let atWork: Promise<void> = Promise.resolve()
  let waiting: Trigger | undefined
  let tried: Id | undefined
  let failures = 0
  let problem: string | undefined
  let stopped: string | undefined
  const isCapped = dailyCap(memory)

  const isWanted = ({ response, context }: Trigger) =>
    stopped === undefined && memory.flag('updates') && isDue(context.view(), response, settings.growth, tried)

  const failed = async (error: unknown) => {
    failures += 1
    problem = error instanceof Error ? error.message : String(error)
    if (failures < FAILURES) {
      await notify(memory, 'info', `The notes could not be brought up to date: ${problem} They will be tried again.`)
      return
    }
    stopped = `${failures} updates of the notes in a row have failed, the last one like this: ${problem}`
    await notify(memory, 'warning', `There are no more notes until the session is opened again: ${stopped}`)
  }

  const attempt = async ({ context }: Trigger, closing: AbortSignal) => {
    if (await isCapped()) return
    const late = new AbortController()
    const cancel = settings.timer(GIVEN_UP, () => late.abort())
    const signal = AbortSignal.any([closing, late.signal])
    try {
      await runUpdate(memory, { context, problem, signal })
      failures = 0
      problem = undefined
    } catch (error) {
      const isStopped = isNacreError(error, 'ABORTED') && !late.signal.aborted
      if (!isStopped && memory.flag('updates'))
        await failed(late.signal.aborted ? new Error('It took too long.') : error)
    } finally {
      cancel()
    }
  }

  const work = async (first: Trigger, signal: AbortSignal) => {
    for (let next: Trigger | undefined = first; next; next = waiting) {
      waiting = undefined
      if (signal.aborted || !isWanted(next)) break
      tried = next.response.id
      running = { since: now() }
      await attempt(next, signal)
    }
    running = undefined
  }

  return {
    onResponse(response, context) {
      const trigger = { response, context }
      if (!isWanted(trigger)) return
      if (running) waiting = trigger
      else
        context.defer((signal) => {
          atWork = work(trigger, signal)
          return atWork
        })
    },
    async settled(signal) {
      if (!running || now() - running.since >= DEAD) return
      await waitFor(atWork, settings.timer, signal)
    },
    stopped: () => stopped,
    close() {
      stopped ??= 'The session has ended.'
    },
  }
}

/** Whether updates have cost as much as they may in a day; told once a day. */
function dailyCap(memory: MemoryContext): () => Promise<boolean> {
  const { dailyDollars } = memory.settings
  let notifiedOn: string | undefined
  return async () => {
    if (dailyDollars === Number.POSITIVE_INFINITY || (await memory.spending.today()) < dailyDollars) return false
    const day = new Date(memory.now()).toDateString()
    const text = `Updates of the notes have cost their $${dailyDollars} for today; the next ones are tomorrow.`
    if (notifiedOn !== day) await notify(memory, 'info', text)
    notifiedOn = day
    return true
  }
}

async function notify({ store }: MemoryContext, level: NoticeEntry['level'], text: string): Promise<void> {
  await store.append([{ kind: 'notice', id: '', time: 0, owner: OWNER, level, text }])
}

/** Waits for work that never rejects, but only as long as that is worth it. */
async function waitFor(work: Promise<void>, timer: Timer, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const cancel = timer(WAIT, resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    void work.finally(() => {
      cancel()
      resolve()
    })
  })
}

/** Context at which the first notes are written, for a full window. */
const FIRST = 10_000
const CALLS_BETWEEN = 3

/** Whether notes have to be brought up to date after a response. `tried` is the response after which it was tried last. */
function isDue(view: View, response: AssistantEntry, growth: number, tried: Id | undefined): boolean {
  const { scale } = view.tokens
  const covers = readCoverage(view)?.covers
  if (tried === undefined && covers === undefined) {
    // A prompt with many tools fills the first part alone, and nothing is to be noted of that.
    const said = view.rounds.reduce((sum, round) => sum + round.tokens, 0)
    return view.tokens.total >= FIRST * scale && said >= growth * scale
  }
  const places = [tried, covers].flatMap((id) => (id === undefined ? [] : (firstAfter(view, id) ?? [])))
  const place = places.sort((a, b) => b.round - a.round || b.entry - a.entry)[0] ?? firstUnfolded(view)
  const { tokens, calls } = tailOf(view, place)
  // What has come in is always asked for: it is what an update is paid for.
  if (tokens < growth * scale) return false
  return calls >= CALLS_BETWEEN || !response.content.some(({ type }) => type === 'tool_use')
}

/** What stands behind a place. */
function tailOf(view: View, { round: start, entry }: Place): { readonly tokens: number; readonly calls: number } {
  let tokens = 0
  let calls = 0
  for (const [index, round] of view.rounds.slice(start).entries()) {
    const isPart = index === 0 && entry > 0
    const entries = isPart ? round.entries.slice(entry) : round.entries
    tokens += isPart ? estimateOf(view, entries) * view.tokens.factor : round.tokens
    calls += entries.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_use').length
  }
  return { tokens, calls }
}

function estimateOf(view: View, entries: readonly MessageEntry[]): number {
  const shown = entries.flatMap(({ id, content }) => content.flatMap((_, block) => view.shown({ entry: id, block })))
  return shown.reduce((sum, block) => sum + estimateBlock(block), 0)
}

interface UpdateTask {
  readonly context: HookContext
  /** Why the last update came to nothing. */
  readonly problem: string | undefined
  readonly signal: AbortSignal
}

/** Brings the notes up to date. They and their coverage change together, and only when all of it went well; else it throws. */
async function runUpdate(memory: MemoryContext, task: UpdateTask): Promise<void> {
  const { context, signal } = task
  const { notesStore } = memory
  const forgotten = notesStore.forgotten()
  const found = await notesStore.read(context.view())
  const { edits, covers } = await askForEdits(memory, task, found)
  if (notesStore.forgotten() > forgotten) return
  if (signal.aborted || !memory.flag('updates')) return
  await commit(memory, context.view(), { found, edits, covers })
}

interface Answer {
  readonly edits: readonly NoteEdit[]
  readonly covers: Id
}

async function askForEdits(memory: MemoryContext, task: UpdateTask, found: FoundNotes): Promise<Answer> {
  const { context, problem, signal } = task
  const update = memory.pendingEdits.open()
  try {
    const { covers, usage, stop } = await context.fork({
      source: 'session_memory',
      prompt: [{ type: 'text', text: promptFor(memory, context.view(), found, problem) }],
      // All that a second turn could do is to say that it is done, for the price of the first.
      maxTurns: 1,
      allow: (call) => memory.flag('updates') && update.allow(call),
      signal,
    })
    await memory.spending.add(usage.dollars)
    if (stop === 'refusal') throw new Error('The model refused to write notes.')
    return { edits: update.edits(), covers }
  } finally {
    update.close()
  }
}

function promptFor(
  { settings }: MemoryContext,
  view: View,
  { notes, coverage }: FoundNotes,
  problem: string | undefined,
) {
  const { sections } = settings
  return settings.prompt({
    notes: writeNotes(notes, sections),
    ...(coverage && { turn: coverage.turn }),
    oversize: oversizeOf(notes, sections, view.tokens.scale),
    ...(problem !== undefined && { problem }),
  })
}

async function commit(memory: MemoryContext, view: View, { found, edits, covers }: Answer & { found: FoundNotes }) {
  const { notesStore, settings, turns } = memory
  // What was taken back or folded meanwhile is not what these notes are about.
  if (!firstAfter(view, covers)) return
  const now = await notesStore.read(view)
  const isGone = found.notes.size > 0 && now.notes.size === 0
  if (isGone) throw new Error('The notes were taken away while they were brought up to date.')
  // A person may have written in the file meanwhile: the edits go on top of that.
  const notes = applyEdits(now.notes, edits, settings.sections)
  if (notes.size === 0) throw new Error('The notes would be empty.')
  const turn = turns.upTo(covers, view) ?? now.coverage?.turn ?? 0
  await notesStore.write(notes, { covers, turn }, titleEntries(view, notes, settings.sections[0]?.name ?? ''))
}

/** The first section is the title of the session, unless a person has given it one. */
function titleEntries(view: View, notes: Notes, section: string): readonly StateEntry[] {
  const title = notes.get(section)?.replace(/\s+/g, ' ')
  const isGiven = view.state('core', 'title') !== undefined
  return title === undefined || isGiven || title === view.state(OWNER, 'session-title')
    ? []
    : [stateEntry('session-title', title)]
}

/** What updates have cost: in this session, and today in all sessions of a data folder. */
interface Spending {
  add(dollars: number): Promise<void>
  /** Since the start, or since it was last asked with `true`. */
  sinceFold(isFolded?: boolean): number
  today(): Promise<number>
}

/** Each update is a line in a file for the day, so that sessions beside one another count together. */
export function createSpending(home: string = dataFolder(), now: () => number): Spending {
  const folder = join(home, 'session-memory-spent')
  const file = () => join(folder, new Date(now()).toISOString().slice(0, 10))
  let own = 0
  return {
    async add(dollars) {
      own += dollars
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await appendFile(file(), `${dollars}\n`, { mode: 0o600 })
    },
    sinceFold(isFolded = false) {
      const spent = own
      if (isFolded) own = 0
      return spent
    },
    async today() {
      const lines = (await readFile(file(), 'utf8').catch(() => '')).split('\n')
      return lines.reduce((sum, line) => sum + (Number(line) || 0), 0)
    },
  }
}
