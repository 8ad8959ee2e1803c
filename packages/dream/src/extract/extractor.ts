import type { Entry, HookContext, Id } from '@nacre/core'
import { createRanker, isNacreError } from '@nacre/core'
import { settle } from '../change/settle.js'
import { createWorkspace } from '../change/workspace.js'
import { SCOPES } from '../folders/memory-folder.js'
import { type Said, saidIn } from '../logs/logs.js'
import { editIndex } from '../memory/index-file.js'
import { DAILY_LOGS, evidenceOf, INDEX_FILE, type Memory, toDay } from '../memory/memory.js'
import { findSecret } from '../memory/secrets.js'
import { isPaused } from '../person/open-memories.js'
import type { Files } from '../repository/types.js'
import { takesBack } from '../rules/words-of-the-user.js'
import { type DreamContext, notify, OWNER, openWorkspaces, stateEntry } from '../settings/context.js'
import { createEditor } from '../tool/editor.js'
import { MEMORY_TOOL, type MemoryCommand, READS } from '../tool/memory-command.js'
import { memoryLine, searchMemories, viewMemories } from '../tool/reader.js'
import { extractPrompt } from './prompt.js'
import { couldHoldFact } from './worth-a-look.js'

const SOURCE = 'extract_memories'
const MAX_TURNS = 5
/** Milliseconds that a session that is closed waits for a running extraction. */
const AT_CLOSE = 60_000
const FAILURES = 3
const SINCE = 120

/** Looks for memories at the end of a turn, one run at a time. */
export interface Extractor {
  /** Is told of each end of a turn. While a run is at work, the newest waits and is run after it. */
  onStop(context: HookContext): void
  /** Resolves when nothing runs and nothing waits. */
  settled(): Promise<void>
  /** What was saved since it was last asked: a line each. */
  news(): readonly string[]
  stopped(): string | undefined
  /** Gives the running one a minute, and begins no other. */
  close(): void
}

export function createExtractor(dream: DreamContext): Extractor {
  const { settings } = dream
  const closing = new AbortController()
  let atWork: Promise<void> | undefined
  let waiting: HookContext | undefined
  let failures = 0
  let stopped: string | undefined
  let cappedOn: string | undefined
  let refused: readonly string[] = []
  let news: string[] = []

  const isCapped = async () => {
    if ((await dream.spending.today()) < settings.dailyDollars) return false
    const day = toDay(dream.now())
    const text = `Memory has cost its $${settings.dailyDollars} for today; extraction goes on tomorrow.`
    if (cappedOn !== day) await notify(dream.store, 'info', text)
    cappedOn = day
    return true
  }
  const failed = async (error: unknown) => {
    failures += 1
    const why = error instanceof Error ? error.message : String(error)
    if (failures < FAILURES)
      return notify(dream.store, 'info', `Looking for memories failed: ${why} The next turn tries again.`)
    stopped = `${failures} extractions in a row have failed, the last one like this: ${why}`
    return notify(
      dream.store,
      'warning',
      `No more memories are extracted until the session is opened again: ${stopped}`,
    )
  }
  const attempt = async (context: HookContext, signal: AbortSignal) => {
    try {
      if ((await isPaused(dream.folders.project)) || (await isCapped())) return
      const outcome = await extract(dream, context, signal, refused)
      if (!outcome) return
      failures = 0
      refused = outcome.refused
      news.push(...outcome.saved)
    } catch (error) {
      if (!isNacreError(error, 'ABORTED') && dream.flag('extract')) await failed(error)
    }
  }
  const work = async (first: HookContext, signal: AbortSignal) => {
    for (let next: HookContext | undefined = first; next; next = waiting) {
      waiting = undefined
      if (signal.aborted || stopped !== undefined || !dream.flag('extract')) break
      await attempt(next, AbortSignal.any([signal, closing.signal]))
    }
    atWork = undefined
  }
  return {
    onStop(context) {
      if (stopped !== undefined || !dream.flag('extract')) return
      if (atWork) waiting = context
      else
        context.defer((signal) => {
          atWork = work(context, signal)
          return atWork
        })
    },
    settled: async () => atWork,
    stopped: () => stopped,
    news() {
      const lines = news
      news = []
      return lines
    },
    close() {
      if (!atWork) stopped ??= 'The session has ended.'
      const cancel = settings.timer(AT_CLOSE, () => closing.abort())
      void (atWork ?? Promise.resolve()).finally(cancel)
    },
  }
}

interface Extracted {
  readonly saved: readonly string[]
  readonly refused: readonly string[]
}

/** One run over what is new in the log. `undefined` where there was nothing to look at. */
async function extract(
  dream: DreamContext,
  context: HookContext,
  signal: AbortSignal,
  refusedBefore: readonly string[],
): Promise<Extracted | undefined> {
  const { entries, last } = await newEntries(context)
  if (last === undefined) return undefined
  const said = saidIn(context.sessionId, entries)
  // Who is switched off meanwhile writes nothing more.
  const moveOn = async () => {
    if (dream.flag('extract')) await context.store.append([stateEntry('cursor', last)])
  }
  if (!dream.flag('extract')) return undefined
  const first = said.find(({ by }) => by === 'user')
  const spoken = said.filter(({ by, text }) => by === 'user' && couldHoldFact(text))
  // The view is gone through only where it matters: most turns hold nothing.
  const isWanted = spoken.length > 0 || (first !== undefined && takesBack(first.text))
  const before = isWanted ? saidBefore(context, entries) : []
  await withdraw(dream, before.at(-1), first)
  // Who has the agent remember something has it remembered; and most turns hold nothing.
  if (hasWritten(entries) || spoken.length === 0) {
    await moveOn()
    return undefined
  }
  const workspaces = await openWorkspaces(dream)
  const surroundings = await dream.surroundings()
  const editor = createEditor({
    workspaces,
    witnesses: { said, before: before.map(({ text }) => text) },
    surroundings,
    project: dream.project,
    now: dream.now,
    newId: dream.newId,
  })
  const problems: string[] = []
  const task = dream.tasks.open({ perform: extractionTask(workspaces, editor, problems) })
  const known = SCOPES.flatMap((scope) =>
    [...workspaces[scope].memories().live.values()].map((memory) => memoryLine(scope, memory)),
  )
  try {
    const { usage, stop } = await context.fork({
      source: SOURCE,
      prompt: [{ type: 'text', text: extractPrompt({ since: firstWords(said), known, refused: refusedBefore }) }],
      maxTurns: MAX_TURNS,
      // A session that is closed right after its answer waits for it.
      isDetached: true,
      allow: (call) => dream.flag('extract') && task.allow(call),
      signal,
    })
    await dream.spending.add({ by: 'extraction', session: context.sessionId, dollars: usage.dollars })
    if (stop === 'refusal') throw new Error('The model refused to look for memories.')
    if (!dream.flag('extract')) return undefined
    const saved: string[] = []
    for (const scope of SCOPES) {
      if (workspaces[scope].steps.length === 0) continue
      const { name, steps } = { name: scope, steps: workspaces[scope].steps }
      const outcome = await settle(dream.folders[scope], workspaces[scope], {
        cause: { by: 'extraction', summary: summaryOf(steps), session: context.sessionId, dollars: usage.dollars },
        now: dream.now(),
        besides: dailyLog(dream, context.sessionId, steps, problems),
      })
      if (outcome.putOff !== undefined) throw new Error(`${name}: ${outcome.putOff} was edited meanwhile.`)
      await dream.folders[scope].vouch(editor.vouched())
      if (outcome.commit) saved.push(...(outcome.commit.cause.details ?? []))
      problems.push(...outcome.refused)
    }
    await moveOn()
    return { saved, refused: problems.slice(-10) }
  } finally {
    task.close()
  }
}

type Workspaces = Awaited<ReturnType<typeof openWorkspaces>>

/** All reads together, then all writes together: whoever reads again after writing sees what was not decided yet. */
function extractionTask(workspaces: Workspaces, editor: ReturnType<typeof createEditor>, problems: string[]) {
  let hasWritten = false
  return async (command: MemoryCommand): Promise<string> => {
    if (READS.includes(command.command)) {
      if (hasWritten) throw new Error('All reads come before the first write. Go on with writing, or stop.')
      if (command.command === 'view') return viewMemories(workspaces, command)
      if (command.command === 'search' && command.where === 'memories') {
        return searchMemories(workspaces, command.query, createRanker)
      }
      throw new Error('Transcripts are not for this task: the conversation is in front of you.')
    }
    hasWritten = true
    if (command.command === 'delete' || command.command === 'rename' || command.command === 'merge') {
      throw new Error(`${command.command} is not for this task.`)
    }
    try {
      return await editor.write(command as Parameters<typeof editor.write>[0])
    } catch (error) {
      problems.push(`${command.command} ${'path' in command ? command.path : ''}: ${(error as Error).message}`)
      throw error
    }
  }
}

async function newEntries({ store, view }: HookContext): Promise<{ entries: readonly Entry[]; last: Id | undefined }> {
  const cursor = view().state(OWNER, 'cursor')
  const from = typeof cursor === 'string' ? cursor : undefined
  const entries: Entry[] = []
  for await (const entry of store.read(from)) if (entry.id !== from) entries.push(entry)
  const last = entries.findLast(({ kind }) => kind === 'user' || kind === 'assistant')?.id
  return { entries, last }
}

/** What the user has said in view before these entries, oldest first. */
function saidBefore({ sessionId, view }: HookContext, entries: readonly Entry[]): readonly Said[] {
  const fresh = new Set(entries.map(({ id }) => id))
  const earlier = view()
    .rounds.flatMap((round) => round.entries)
    .filter(({ id }) => !fresh.has(id))
  return saidIn(sessionId, earlier).filter(({ by }) => by === 'user')
}

/** What was learnt from a message goes into the archive when the next one takes it back: it was never meant. */
async function withdraw(dream: DreamContext, said: Said | undefined, next: Said | undefined): Promise<void> {
  if (!said || !next || !takesBack(next.text)) return
  const isMeant = (memory: Memory) =>
    !memory.isPinned &&
    evidenceOf(memory).length > 0 &&
    evidenceOf(memory).every(({ session, entry }) => session === said.session && entry === said.entry)
  for (const scope of SCOPES) {
    const { memories } = await dream.folders[scope].read()
    if (![...memories.live.values()].some(isMeant)) continue
    const cause = {
      by: 'extraction' as const,
      summary: 'Took back what the user took back',
      session: dream.sessionId,
      consent: 'reversible' as const,
    }
    await (await dream.folders[scope].repository()).change(cause, ({ files }) => {
      const workspace = createWorkspace(files)
      const doomed = [...workspace.memories().live.values()].filter(isMeant)
      const gone = {
        how: 'archived' as const,
        reason: 'the user took it back in the next message',
        on: toDay(dream.now()),
      }
      for (const memory of doomed) workspace.retire(memory, gone)
      const index = editIndex(files.get(INDEX_FILE) ?? '', { take: doomed.map(({ path }) => path) })
      const changes = new Map(workspace.changes())
      return files.has(INDEX_FILE) ? changes.set(INDEX_FILE, index) : changes
    })
  }
}

function hasWritten(entries: readonly Entry[]): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'assistant' &&
      entry.content.some(({ type, name, input }) => {
        const { command } = Object(input) as { readonly command?: unknown }
        return type === 'tool_use' && name === MEMORY_TOOL && command !== 'view' && command !== 'search'
      }),
  )
}

function firstWords(said: readonly Said[]): string {
  const first = said.find(({ by }) => by === 'user')?.text ?? ''
  return first.replace(/\s+/g, ' ').trim().slice(0, SINCE)
}

function summaryOf(steps: Workspaces['person']['steps']): string {
  const [first] = steps
  const name = first?.reason.split(':')[0] ?? 'memories'
  return steps.length > 1 ? `Learnt ${name} and ${steps.length - 1} more` : `Learnt ${name}`
}

/** A line for each thing that was saved or refused, in the log of the day that dreams look at. */
function dailyLog(dream: DreamContext, session: Id, steps: Workspaces['person']['steps'], problems: readonly string[]) {
  return async (files: Files) => {
    const time = new Date(dream.now()).toISOString()
    const path = `${DAILY_LOGS}${time.slice(0, 4)}/${time.slice(5, 7)}/${time.slice(0, 10)}.md`
    const lines: string[] = []
    for (const line of [...steps.map(({ reason }) => reason), ...problems.map((problem) => `not saved: ${problem}`)]) {
      lines.push((await findSecret(line)) ? 'a draft with a secret in it was refused' : line)
    }
    const added = lines.map((line) => `- ${time.slice(11, 16)} [${session}] ${line.replace(/\s+/g, ' ')}`)
    return new Map([[path, `${(files.get(path) ?? '').trimEnd()}\n${added.join('\n')}\n`.trimStart()]])
  }
}
