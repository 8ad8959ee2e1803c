import { compact } from '@nacre/compact'
import { createSession, type Edit, type Receipt, type Session } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { offline, startSimulator } from '@nacre/simulator'
import { unmarked } from '../session/unmarked.js'
import { morning, nightShift, PROMPT, QUESTION, report, TICKETS } from './night-shift.js'

/** What a conversation went through that would not have fitted, and what each step was worth. */
export interface CompactChapter {
  readonly cleared: Cleared
  readonly receipt: Receipt
  /** Tickets that are in view after the compaction, of all. */
  readonly tickets: { readonly inView: number; readonly all: number }
  /** Whether the request after the undo says all that was said before the compaction, to the byte. */
  readonly isUndone: boolean
  /** What the model quotes once it has looked it up. */
  readonly recalled: string
  /** The compaction with the network cut. */
  readonly digest: Receipt
}

interface Cleared {
  readonly results: number
  readonly tokens: number
  /** What stands for the first of them. */
  readonly line: string
  /** Dollars of the same work with and without it. */
  readonly dollars: { readonly with: number; readonly without: number }
}

/** One long shift: its results cleared, then folded, taken back, folded again and asked about, at last with no network. */
export async function playCompaction(): Promise<CompactChapter> {
  const without = await dollarsWithoutClearing()
  const simulator = await startSimulator({ model: offline({ scenarios: [morning, nightShift] }) })
  const bodies: string[] = []
  simulator.observe(({ body, entry }) => {
    if (entry.source === 'main') bodies.push(unmarked(body))
  })
  const session = await open(simulator.url)
  const edits = editsOf(session)
  try {
    await answerOf(session, PROMPT)
    const cleared = { ...whatWasCleared(edits), dollars: { with: session.cost().dollars, without } }
    const before = bodies.at(-1) as string
    const receipt = await fold(session)
    const tickets = { inView: ticketsIn(session), all: TICKETS.length }
    await session.undo({ edit: receipt.undo })
    await answerOf(session, 'Thank you.')
    const isUndone = bodies.at(-1)?.startsWith(before.slice(0, -1)) ?? false
    await fold(session)
    const recalled = await answerOf(session, QUESTION)
    await simulator.close()
    const digest = await fold(session)
    return { cleared, receipt, tickets, isUndone, recalled, digest }
  } finally {
    await session.close()
    await simulator.close()
  }
}

async function dollarsWithoutClearing(): Promise<number> {
  const simulator = await startSimulator({ model: offline({ scenarios: [nightShift] }) })
  const session = await open(simulator.url, { 'compact.clear': false })
  try {
    await answerOf(session, PROMPT)
    return session.cost().dollars
  } finally {
    await session.close()
    await simulator.close()
  }
}

function open(baseURL: string, flags: Readonly<Record<string, boolean>> = {}): Promise<Session> {
  return createSession({
    model: anthropicModel({ model: 'claude-sonnet-4-6', apiKey: 'none needed', baseURL }),
    system: 'You look after a plant.',
    tools: [report],
    plugins: [compact()],
    flags,
    // With the network gone, nobody wants to wait for it in a demo.
    details: { senses: { wait: () => undefined } },
  })
}

function editsOf(session: Session): readonly Edit[] {
  const edits: Edit[] = []
  session.events.on('edit', ({ edit }) => edits.push(edit))
  return edits
}

function whatWasCleared(edits: readonly Edit[]): Omit<Cleared, 'dollars'> {
  const replaced = edits.flatMap(({ changes }) => changes.filter((change) => change.kind === 'replace'))
  const [block] = replaced[0]?.content ?? []
  return {
    results: replaced.length,
    tokens: edits.reduce((sum, { price }) => sum + price.freed, 0),
    line: ((block?.content ?? []) as readonly { readonly text?: string }[]).map(({ text }) => text).join(''),
  }
}

async function fold(session: Session): Promise<Receipt> {
  const outcome = await session.compact()
  if ('refused' in outcome) throw new Error(`The compaction was refused: ${outcome.refused}`)
  return outcome.receipt
}

function ticketsIn(session: Session): number {
  const view = JSON.stringify(session.view().rounds)
  return TICKETS.filter((ticket) => view.includes(ticket)).length
}

async function answerOf(session: Session, prompt: string): Promise<string> {
  let answer = ''
  for await (const event of session.query(prompt)) {
    if (event.type === 'response') answer = event.entry.content.map(({ text }) => text ?? '').join('')
    if (event.type === 'end' && event.reason !== 'done') throw new Error(`${event.reason}: ${event.error?.message}`)
  }
  return answer
}
