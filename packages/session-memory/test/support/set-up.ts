import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createSession,
  type NoticeEntry,
  type Receipt,
  resolveModel,
  type Session,
  type SessionEvent,
  type SessionOptions,
} from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { type LedgerEntry, type SimulatedModel, type Simulator, startSimulator } from '@nacre/simulator'
import { onTestFinished } from 'vitest'
import { notesPath, type SessionMemoryOptions, sessionMemory } from '../../src/index.js'

interface Asked {
  readonly entry: LedgerEntry
  readonly body: string
}

export interface Setup {
  readonly simulator: Simulator
  readonly home: string
  /** The requests that came over the socket, as they were answered. */
  readonly requests: Asked[]
  start(options?: Partial<SessionOptions>, memory?: SessionMemoryOptions): Promise<Started>
}

interface Started {
  readonly session: Session
  readonly path: string
  readonly receipts: Receipt[]
  readonly notices: NoticeEntry[]
  readonly events: SessionEvent[]
  /** The file as it is now; empty where there is none. */
  file(): string
  ask(prompt: string): Promise<SessionEvent>
  close(): Promise<void>
}

export interface SetupOptions {
  readonly model?: string
  readonly window?: number
}

const PROJECT = '/a/project'

/** A simulator that the model given answers for, and sessions with notes that talk to it over a socket. All end with the test. */
export async function setUp(
  answers: SimulatedModel,
  { model = 'claude-sonnet-4-6', window = 60_000 }: SetupOptions = {},
): Promise<Setup> {
  const simulator = await startSimulator({ model: answers, details: { seed: 7 } })
  onTestFinished(() => simulator.close())
  const home = mkdtempSync(join(tmpdir(), 'nacre-notes-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const requests: Asked[] = []
  simulator.observe(({ body, entry }) => requests.push({ body, entry }))
  const connected = anthropicModel({ model: resolveModel(model, { window }), apiKey: 'test', baseURL: simulator.url })
  return {
    simulator,
    home,
    requests,
    async start(asked = {}, memory = {}) {
      let ids = 0
      const effects = { wait: () => undefined, newId: () => `id-${ids++}`, ...asked.details?.effects }
      const session = await createSession({
        model: connected,
        system: 'You work.',
        plugins: [sessionMemory({ home, project: PROJECT, ...memory })],
        ...asked,
        details: { ...asked.details, effects },
      })
      onTestFinished(() => session.close())
      return started(session, notesPath({ home, project: PROJECT, session: session.id }))
    },
  }
}

function started(session: Session, path: string): Started {
  const receipts: Receipt[] = []
  const notices: NoticeEntry[] = []
  const events: SessionEvent[] = []
  session.events.on('event', (event) => {
    if (event.type === 'delta') return
    events.push(event)
    if (event.type === 'receipt') receipts.push(event.receipt)
    if (event.type === 'notice') notices.push(event.notice)
  })
  return {
    session,
    path,
    receipts,
    notices,
    events,
    file: () => (existsSync(path) ? readFileSync(path, 'utf8') : ''),
    async ask(prompt) {
      let last: SessionEvent | undefined
      for await (const event of session.query(prompt)) last = event
      return last as SessionEvent
    },
    close: () => session.close(),
  }
}
