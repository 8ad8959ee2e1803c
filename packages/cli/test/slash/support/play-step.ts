import type { Edit } from '@nacre/core'
import type { LedgerEntry } from '@nacre/simulator'
import { expect } from 'vitest'
import { logEntries } from '../../../src/slash/find-entry.js'
import { expectedBill } from './expected-bill.js'
import type { Folders } from './make-folders.js'
import { openForTest, type TestSession } from './open-for-test.js'
import type { Step } from './random-step.js'

/** A session, and what was billed for it since it began. */
export interface Played {
  readonly folders: Folders
  readonly session: TestSession
  readonly billed: readonly LedgerEntry[]
  readonly window: number
  /** What the last dry run cost. */
  readonly dryRun: number
}

/** Does one thing to a session; gives it back, or the one that took its place. */
export async function playStep(played: Played, step: Step): Promise<Played> {
  const { session } = played
  switch (step.kind) {
    case 'ask':
      await asked(played, `Read ${step.files} files, please.`)
      return played
    case 'interrupt':
      await interrupted(played, step.files, step.after)
      return played
    case 'fault':
      session.simulator.faults.add({ kind: step.fault, after: step.after, amount: 1 + step.after })
      return played
    case 'redo':
      await redo(session)
      return played
    case 'rewind':
    case 'compact from':
    case 'compact upto':
      return typed(played, `/${step.kind} ${step.place + 1}`)
    case 'stop compacting':
      await stopped(session)
      return played
    case 'wait':
      session.pass(step.minutes * 60_000)
      return played
    case 'reopen':
      return reopened(played)
    case 'line':
      return typed(played, step.line)
  }
}

async function asked({ session, billed }: Played, prompt: string): Promise<void> {
  const end = await session.ask(prompt)
  if (end?.type !== 'end' || end.reason !== 'done') return
  const last = billed.findLast(({ source, status }) => source === 'main' && status === 200)
  const counted = last ? last.input + last.read + last.write5m + last.write1h + last.output : 0
  const { total, estimated } = session.opened.session.view().tokens
  expect(estimated).toBe(0)
  expect(total).toBe(counted)
}

/** The stream stands still after its first words, so what the client has heard of it is known. */
async function interrupted({ session }: Played, files: number, after: number): Promise<void> {
  const disarm = session.simulator.faults.add({ kind: 'stall', source: 'main', after, amount: 4 })
  const stop = new AbortController()
  let answers = 0
  for await (const event of session.opened.session.query(`Read ${files} files, please.`, { signal: stop.signal })) {
    if (event.type === 'response') answers += 1
    if (event.type === 'delta' && answers === after) stop.abort()
  }
  disarm()
}

/** Progress is told by the thousand characters, so that many come before the stream stands still. */
async function stopped({ simulator, run, opened }: TestSession): Promise<void> {
  const disarm = simulator.faults.add({ kind: 'stall', source: 'compact', amount: 24 })
  const stop = new AbortController()
  const unhear = opened.session.events.on('fork-progress', ({ characters }) => {
    if (characters > 0) stop.abort()
  })
  await run('/compact', { signal: stop.signal })
  unhear()
  disarm()
}

async function redo({ opened, run, context }: TestSession): Promise<void> {
  const entries = await logEntries(opened.session, context.signal)
  const last = entries.findLast((entry) => entry.kind === 'edit' && entry.changes.some(({ kind }) => kind === 'revert'))
  if (last) await run(`/undo ${last.id}`)
}

async function reopened(played: Played): Promise<Played> {
  const { folders, session, window } = played
  await session.opened.close()
  const { simulator, opened } = session
  const next = await openForTest(folders, { open: { resume: opened.session.id }, simulator, window })
  return { ...played, session: next }
}

/** A command; where it compacts, its receipt has to say what was billed for it and how large the view was and is. */
async function typed(played: Played, line: string): Promise<Played> {
  const { session, billed } = played
  if (!line.startsWith('/compact')) {
    await session.run(line)
    return played
  }
  const view = () => session.opened.session.view().tokens.total
  const before = view()
  const from = billed.length
  const output = await session.run(line)
  const forIt = billed.slice(from).filter(({ source }) => source === 'compact')
  const spent = expectedBill(forIt).dollars
  if (line === '/compact dry') return output.isError ? played : { ...played, dryRun: spent }
  if (output.isError) return played
  const entries = await logEntries(session.opened.session, session.context.signal)
  const edit = entries.findLast((entry): entry is Edit => entry.kind === 'edit' && entry.receipt !== undefined)
  const { dollars, tokens } = edit?.receipt ?? {}
  expect(tokens?.before).toBe(before)
  // Both are estimates until the next answer, and made in two ways.
  expect(Math.abs((tokens?.after ?? 0) - view())).toBeLessThan(0.25 * view())
  expect(dollars?.spent).toBeCloseTo(line === '/compact use' ? played.dryRun : spent, 9)
  return played
}
