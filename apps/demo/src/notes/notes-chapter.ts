import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compact } from '@nacre/compact'
import { createSession, type Receipt, resolveModel, type Session } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { notesPath, sessionMemory } from '@nacre/session-memory'
import { offline, startSimulator } from '@nacre/simulator'
import { nightShift, PROMPT, report } from '../compact/night-shift.js'

const ID = 'shift-with-notes'
const WINDOW = 60_000

/** Notes that grew beside a session, and what they were there for. */
export interface NotesChapter {
  readonly updates: number
  /** Dollars of the updates, and the share of their input that was read from the cache. */
  readonly cost: { readonly dollars: number; readonly hitRate: number }
  /** Lines of the notes at the end, and how far they go. */
  readonly lines: number
  readonly covers: string
  readonly receipts: readonly Receipt[]
  /** Requests for a summary: none, as long as the notes are there. */
  readonly summaries: number
}

/** The same shift on a small window: notes are written beside it, and stand in when it is full. */
export async function playNotes(): Promise<NotesChapter> {
  const home = await mkdtemp(join(tmpdir(), 'nacre-demo-notes-'))
  const simulator = await startSimulator({ model: offline({ scenarios: [nightShift] }) })
  const session = await open(simulator.url, home)
  const receipts: Receipt[] = []
  session.events.on('receipt', ({ receipt }) => receipts.push(receipt))
  try {
    for await (const event of session.query(PROMPT)) {
      if (event.type === 'end' && event.reason !== 'done') throw new Error(`${event.reason}: ${event.error?.message}`)
    }
    const covers = (await session.command('memory session')).split('\n')[0] ?? ''
    await session.close()
    const notes = await readFile(notesPath({ home, project: process.cwd(), session: ID }), 'utf8')
    const { requests, dollars, hitRate } = simulator.ledger.totals('session_memory')
    const summaries = simulator.ledger.totals('compact').requests
    return {
      updates: requests,
      cost: { dollars, hitRate },
      lines: notes.split('\n').length,
      covers,
      receipts,
      summaries,
    }
  } finally {
    await session.close()
    await simulator.close()
    await rm(home, { recursive: true, force: true })
  }
}

function open(baseURL: string, home: string): Promise<Session> {
  const model = resolveModel('claude-sonnet-4-6', { window: WINDOW })
  return createSession({
    model: anthropicModel({ model, apiKey: 'none needed', baseURL }),
    system: 'You look after a plant.',
    tools: [report],
    plugins: [sessionMemory({ home }), compact()],
    // Cleared results would keep the window from filling, and the notes would never be needed.
    flags: { 'compact.clear': false },
    open: { id: ID },
  })
}
