import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createSession,
  type Model,
  memoryStore,
  type NoticeEntry,
  type Plugin,
  type Request,
  type Session,
  type SessionEvent,
  type SessionOptions,
} from '@nacre/core'
import { type ScriptedTurn, scriptedModel } from '@nacre/core/testing'
import { onTestFinished } from 'vitest'
import { notesPath, type SessionMemoryOptions, sessionMemory, UPDATE_NOTES } from '../../src/index.js'
import { watched } from './watched.js'

export interface Scripted {
  readonly session: Session
  readonly path: string
  readonly home: string
  readonly notices: NoticeEntry[]
  /** The requests of updates, as they were sent. */
  updates(): readonly Request[]
  main(): readonly Request[]
  file(): string
  ask(prompt?: string): Promise<SessionEvent[]>
  /** Waits until no update runs. */
  idle(): Promise<void>
}

export interface Script {
  /** What the conversation answers. */
  main?(request: Request, number: number): ScriptedTurn
  /** What updates answer. */
  notes?(request: Request, number: number): ScriptedTurn
  /** Is waited for before an update is answered. */
  gate?(signal: AbortSignal): Promise<void>
  readonly home?: string
  readonly memory?: SessionMemoryOptions
  readonly options?: Partial<SessionOptions>
  readonly window?: number
  readonly plugins?: readonly Plugin[]
}

export const PROJECT = '/a/project'

/** An answer of an update: so many edits. */
export function edit(...edits: readonly { section: string; how?: string; text: string; old?: string }[]): ScriptedTurn {
  return [
    { type: 'tool_use', name: UPDATE_NOTES, input: { edits: edits.map((each) => ({ how: 'replace', ...each })) } },
  ]
}

/** So many tokens, by estimate. */
export function words(tokens: number): string {
  return 'word '.repeat(Math.ceil(tokens / 1.2447))
}

/** A session with notes on a model that answers from a script. It ends with the test, and so does its data folder. */
export async function startScripted(script: Script = {}): Promise<Scripted> {
  const home = script.home ?? temporaryHome()
  const isUpdate = (request: Request) => request.fields.extra?.source === 'session_memory'
  const counts = { main: 0, notes: 0 }
  const answer = (request: Request) => {
    if (!isUpdate(request)) return script.main?.(request, counts.main++) ?? 'Well.'
    const number = counts.notes++
    return script.notes?.(request, number) ?? edit({ section: 'Current State', text: `At work ${number + 1}.` })
  }
  const inner = scriptedModel(answer, script.window === undefined ? {} : { window: script.window })
  const model: Model = {
    ...inner,
    async *stream(request, signal) {
      if (isUpdate(request)) await script.gate?.(signal)
      yield* inner.stream(request, signal)
    },
  }
  const { plugin, idle } = watched(sessionMemory({ home, project: PROJECT, ...script.memory }))
  const session = await createSession({
    model,
    plugins: [plugin, ...(script.plugins ?? [])],
    store: memoryStore(),
    ...script.options,
  })
  onTestFinished(() => session.close())
  const notices: NoticeEntry[] = []
  session.events.on('notice', ({ notice }) => notices.push(notice))
  const path = notesPath({ home, project: PROJECT, session: session.id })
  return {
    session,
    path,
    home,
    notices,
    updates: () => inner.requests.filter(isUpdate),
    main: () => inner.requests.filter((request) => !isUpdate(request)),
    file: () => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
    async ask(prompt) {
      const events: SessionEvent[] = []
      for await (const event of session.query(prompt)) events.push(event)
      return events
    },
    idle,
  }
}

export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'nacre-notes-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}
