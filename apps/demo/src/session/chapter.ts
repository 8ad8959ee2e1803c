import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CacheBreak, CostTotals, Edit, Session } from '@nacre/core'
import { offline, startSimulator } from '@nacre/simulator'
import { CALLS, story } from '../story.js'
import { openSession, type Place } from './open-session.js'
import { unmarked } from './unmarked.js'

const ID = 'midnight'
const KILLED_AT = 8

/** What happened to one session, with the figures to show for it. */
export interface Chapter {
  readonly killedAt: number
  /** Requests sent before the kill, and how many of them the log gave back to the byte. */
  readonly reproduced: { readonly sent: number; readonly same: number }
  /** Files that were read twice because of the kill. */
  readonly readAgain: number
  readonly answer: string
  readonly edit: Edit
  /** Whether the request after the undo is the one before the edit, and more. */
  readonly isUndone: boolean
  readonly cost: CostTotals
  readonly breaks: readonly CacheBreak[]
  readonly requests: number
}

/** One session through a kill, a resume, an edit and its undo. `worker` is the script that is killed. */
export async function playChapter(project: string, worker: string): Promise<Chapter> {
  const home = await mkdtemp(join(tmpdir(), 'nacre-demo-home-'))
  const simulator = await startSimulator({ model: offline({ scenarios: [story] }) })
  const bodies: string[] = []
  const killed = new Promise<void>((resolve) => {
    simulator.observe(({ body }) => {
      bodies.push(unmarked(body))
      if (bodies.length === KILLED_AT) resolve()
    })
  })
  const place: Place = { url: simulator.url, project, home }
  try {
    await killWorker(worker, place, killed)
    const before = bodies.slice()
    const session = await openSession(place, { resume: ID })
    const answer = await answerOf(session.query())
    const reproduced = { sent: before.length, same: before.filter((body) => extendsBody(bodies.at(-1), body)).length }
    return {
      killedAt: KILLED_AT,
      reproduced,
      readAgain: bodies.length - CALLS - 1,
      answer,
      ...(await editAndUndo(session, bodies)),
      cost: session.cost(),
      breaks: session.breaks(),
      requests: bodies.length,
    }
  } finally {
    await simulator.close()
    await rm(home, { recursive: true, force: true })
  }
}

async function killWorker(worker: string, { url, project, home }: Place, when: Promise<void>): Promise<void> {
  const child = spawn(process.execPath, [worker, url, project, home, ID], { stdio: ['ignore', 'ignore', 'inherit'] })
  const gone = once(child, 'exit')
  await Promise.race([when, gone])
  child.kill('SIGKILL')
  await gone
}

async function editAndUndo(session: Session, bodies: readonly string[]): Promise<Pick<Chapter, 'edit' | 'isUndone'>> {
  const whole = bodies.at(-1) as string
  let edit: Edit | undefined
  session.events.on('edit', (event) => {
    edit ??= event.edit
  })
  const id = await session.command('tidy')
  await answerOf(session.query('Thank you. Name the file once more.'))
  await session.undo({ edit: id })
  await answerOf(session.query('And once more.'))
  if (!edit) throw new Error(`The results were not cleared: ${id}`)
  const isUndone = extendsBody(bodies.at(-1), whole)
  await session.close()
  return { edit, isUndone }
}

/** Whether a request says all that another one said, to the byte, and more. */
function extendsBody(longer: string | undefined, shorter: string): boolean {
  return longer?.startsWith(shorter.slice(0, -1)) ?? false
}

async function answerOf(events: ReturnType<Session['query']>): Promise<string> {
  let answer = ''
  for await (const event of events) {
    if (event.type === 'response') answer = event.entry.content.map(({ text }) => text ?? '').join('')
    if (event.type === 'end' && event.reason !== 'done') throw new Error(`${event.reason}: ${event.error?.message}`)
  }
  return answer
}
