import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { NacreError, Session } from '@nacre/core'
import { offline, type Simulator, startSimulator } from '@nacre/simulator'
import { type Narrator, silent } from '../outcome/narrator.js'
import type { Point, Run } from '../outcome/outcome.js'
import { agentJob } from './agents-script.js'
import { MODEL, openSession, type Place } from './open-session.js'
import { scenarios, WORK } from './story.js'

/** The same work in another setting: a name for people, a window, and what is switched off. */
export interface Setting {
  readonly name: string
  readonly window: number
  readonly off: readonly string[]
}

/** Plays the work in a setting, from a fresh shop to the fix or to where it can not go on. */
export async function playRun({ name, window, off }: Setting): Promise<Run> {
  const stage = await setStage(window, Object.fromEntries(off.map((flag) => [flag, false])))
  try {
    const session = await openSession(stage.place, { id: 'demo' })
    const refusal = await playWork(session, silent)
    await session.close()
    return await runOf(stage, name, refusal)
  } finally {
    await stage.close()
  }
}

/** Says all that the work takes; gives what was said if it could not go on. */
export async function playWork(session: Session, narrator: Narrator): Promise<string | undefined> {
  for (const prompt of WORK) {
    const { error } = await ask(session, prompt, narrator)
    if (error) return error.message
  }
}

/** The figures of the work so far. */
export async function runOf(stage: Stage, name: string, refusal?: string): Promise<Run> {
  const { ledger } = stage.simulator
  const { dollars, hitRate, failed } = ledger.totals()
  const points = stage.points.slice()
  return {
    name,
    window: stage.place.window,
    points,
    peak: Math.max(0, ...points.map(({ tokens }) => tokens)),
    requests: points.length,
    dollars,
    beside: dollars - ledger.totals('main').dollars,
    hitRate,
    failed,
    ...(refusal !== undefined && { refusal }),
    isFixed: await testsPass(stage.place.project),
  }
}

/** How a query ended. */
interface Asked {
  /** The last words of the model. */
  readonly answer: string
  readonly error?: NacreError
}

/** Asks, tells what happens meanwhile, and gives the answer. Without a prompt it goes on with what is unanswered. */
export async function ask(session: Session, prompt: string | undefined, narrator: Narrator): Promise<Asked> {
  let answer = ''
  let error: NacreError | undefined
  if (prompt !== undefined) narrator.prompt(prompt)
  for await (const event of session.query(prompt)) {
    if (event.type === 'response') answer = event.entry.content.map(({ text }) => text ?? '').join('')
    if (event.type === 'recovery' && event.kind === 'retry') narrator.retried(event.attempt, event.reason)
    if (event.type === 'end' && event.reason !== 'done') error = event.error
    await narrator.flush()
  }
  if (error) narrator.refused(error.message)
  else narrator.answer(answer)
  await narrator.flush()
  return { answer, ...(error && { error }) }
}

/** The shop with its bug, to be copied. */
export const SHOP = fileURLToPath(new URL('../shop', import.meta.url))

/** A shop with its bug, a server, and what was sent to it. */
export interface Stage {
  readonly place: Place
  readonly simulator: Simulator
  /** The requests of the conversation, without those beside it. */
  readonly points: readonly Point[]
  /** Their messages, as they came. */
  readonly bodies: readonly string[]
  close(): Promise<void>
}

/** Sets up everything in a folder of its own. */
export async function setStage(window: number, flags: Readonly<Record<string, boolean>> = {}): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'stage-'))
  const project = join(folder, 'shop')
  const model = `${MODEL}-${window}`
  await cp(SHOP, project, { recursive: true })
  const simulator = await startSimulator({
    model: offline({ scenarios, jobs: [agentJob] }),
    models: [{ id: model, like: MODEL, window }],
    details: { seed: 7 },
  })
  const points: Point[] = []
  const bodies: string[] = []
  simulator.observe(({ entry, body }) => {
    if (entry.source !== 'main' || entry.status !== 200) return
    const tokens = entry.input + entry.read + entry.write5m + entry.write1h
    points.push({ request: points.length + 1, tokens, dollars: simulator.ledger.totals().dollars })
    bodies.push(unmarked(body))
  })
  return {
    place: { url: simulator.url, model, window, project, home: join(folder, 'data'), flags },
    simulator,
    points,
    bodies,
    async close() {
      await simulator.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The messages of a body without their cache markers: what has to be the same from one request to the next. */
function unmarked(body: string): string {
  const { messages } = JSON.parse(body) as { readonly messages: unknown }
  return JSON.stringify(messages, (key, value: unknown) => (key === 'cache_control' ? undefined : value))
}

/** Whether a list of messages says all that another one said, to the byte, and more. */
export function extendsBody(longer = '', shorter = ''): boolean {
  return shorter !== '' && longer.startsWith(shorter.slice(0, -1))
}

/** Whether the shop's own tests pass, asked of no model. */
export async function testsPass(project: string): Promise<boolean> {
  // A test runner inside another one would report to it.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return promisify(execFile)(process.execPath, ['--test'], { cwd: project, env }).then(
    () => true,
    () => false,
  )
}
