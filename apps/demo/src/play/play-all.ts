import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Session } from '@nacre/core'
import { causeOf } from '../outcome/figures.js'
import type { Narrator } from '../outcome/narrator.js'
import type { ByHand, Firing, Outcome, Run } from '../outcome/outcome.js'
import { MODEL, openSession, type Place } from './open-session.js'
import { playAgents } from './play-agents.js'
import { playMemory } from './play-memory.js'
import { ask, extendsBody, playRun, playWork, runOf, type Setting, type Stage, setStage } from './play-run.js'
import { ASKED_FOR, INSTRUCTIONS, LAST_JOB, QUESTION, THANKS } from './story.js'
import { type Watcher, watchLayers } from './watch-layers.js'

/** The window of the story: the work needs more than twice as much. */
export const WINDOW = 36_000
const LARGE = 200_000

const STORED = 'tool-result-storage'
const NOTES = 'session-memory'
const COMPACT = 'compact'

const WITHOUT: Setting = { name: 'no layers', window: WINDOW, off: [STORED, NOTES, COMPACT] }

/** In a window that holds all of the work, so that nothing but the layers makes the difference. */
const ADDED: readonly Setting[] = [
  { name: 'no layers', window: LARGE, off: [STORED, NOTES, COMPACT] },
  { name: 'stored results', window: LARGE, off: [NOTES, COMPACT] },
  { name: 'stored and cleared results', window: LARGE, off: [NOTES] },
]

/** The story, told as it is played, and the same work in other settings. */
export async function playAll(narrator: Narrator, worker: string): Promise<Outcome> {
  const story = await playStory(narrator, worker)
  narrator.scene('The same work without layers, and with one after the other')
  const tell = async (setting: Setting): Promise<Run> => {
    const played = await playRun(setting)
    const { name, window, refusal, requests } = played
    const end = refusal ? `stops at request ${requests + 1}: ${causeOf(refusal)}` : `done after ${requests} requests`
    narrator.answer(`${name}, window ${window.toLocaleString('en-US')}: ${end}`)
    await narrator.flush()
    return played
  }
  const without = await tell(WITHOUT)
  const large: Run[] = []
  for (const setting of ADDED) large.push(await tell(setting))
  return { version: 1, model: MODEL, ...story, without, large }
}

const SESSION = 'demo'

type Told = Pick<Outcome, 'story' | 'firings' | 'byHand' | 'memory' | 'agents'>

/**
 * The whole story with all layers: the work, then what a person does by hand, a kill, a look at the log, and sessions of
 * their own about memory and about agents: the work itself has no part in it, so that its requests stay what they are.
 * `worker` is the script of the process that is killed.
 */
async function playStory(narrator: Narrator, worker: string): Promise<Told> {
  const stage = await setStage(WINDOW)
  const firings: Firing[] = []
  const watcher: Watcher = {
    project: stage.place.project,
    requests: () => stage.points.length,
    called: narrator.call,
    fired(firing) {
      firings.push(firing)
      narrator.fired(firing)
    },
  }
  try {
    const session = await openSession(stage.place, { id: SESSION })
    watchLayers(session, watcher)
    const refusal = await playWork(session, narrator)
    const story = await runOf(stage, 'all layers', refusal)
    narrator.scene('By hand: compact, undo, compact without a network, look up, kill and resume')
    const acts = await playByHand(session, stage, narrator)
    await session.close()
    const killed = await killAndResume(stage, worker, narrator, watcher)
    const verified = await verify(stage.place, SESSION)
    const memory = await playMemory(stage, narrator, watcher)
    const agents = await playAgents(stage, narrator, watcher)
    return { story, firings, byHand: { ...acts, killed, verified }, memory, agents }
  } finally {
    await stage.close()
  }
}

/** Folds by a summary, takes that back, folds with the network cut, and asks for what is out of view. */
async function playByHand(
  session: Session,
  stage: Stage,
  narrator: Narrator,
): Promise<Pick<ByHand, 'isUndone' | 'isOutOfView' | 'recalled'>> {
  const before = stage.bodies.at(-1)
  narrator.command(`/compact ${INSTRUCTIONS}`)
  const undo = await fold(session, narrator)
  narrator.command('/undo')
  await session.undo({ edit: undo })
  await ask(session, THANKS, narrator)
  const isUndone = extendsBody(stage.bodies.at(-1), before)

  narrator.command(`/compact ${INSTRUCTIONS}`, 'with the network cut')
  const mend = stage.simulator.faults.add({ kind: 'reset', probability: 1 })
  await fold(session, narrator)
  mend()
  const asked = stage.bodies.length
  const { answer } = await ask(session, QUESTION, narrator)
  const isOutOfView = stage.bodies[asked]?.includes(ASKED_FOR) === false
  return { isUndone, isOutOfView, recalled: answer }
}

async function fold(session: Session, narrator: Narrator): Promise<string> {
  const outcome = await session.compact({ instructions: INSTRUCTIONS })
  if ('refused' in outcome) throw new Error(`The compaction was refused: ${outcome.refused}`)
  await narrator.flush()
  return outcome.receipt.undo
}

/** Requests of the other process before it is killed: it has a file written by then, and waits for its tests. */
const REQUESTS = 2

/** Lets another process go on with the session, kills it in the middle, and finishes its work here. */
async function killAndResume(
  stage: Stage,
  worker: string,
  narrator: Narrator,
  watcher: Watcher,
): Promise<ByHand['killed']> {
  const first = stage.points.length
  narrator.prompt(LAST_JOB)
  await killed(worker, stage, first + REQUESTS)
  const before = stage.bodies.slice(first)
  narrator.command(
    'kill -9',
    `on the process that works on this, ${before.length} requests into it; another one resumes the session`,
  )
  const session = await openSession(stage.place, { resume: SESSION })
  watchLayers(session, watcher)
  await ask(session, undefined, narrator)
  await session.close()
  const last = stage.bodies.at(-1)
  const same = before.filter((body) => extendsBody(last, body)).length
  const text = `what ${same} of ${before.length} requests said before the kill is said again, to the byte, and the work is finished`
  watcher.fired({ layer: 'resumed', request: stage.points.length, freed: 0, dollars: 0, callsAvoided: 0, text })
  await narrator.flush()
  return { sent: before.length, same }
}

async function killed(worker: string, { place, points, simulator }: Stage, at: number): Promise<void> {
  const child = spawn(process.execPath, [worker, JSON.stringify(place), SESSION, LAST_JOB], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const gone = once(child, 'exit')
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const reached = new Promise<void>((resolve) => {
    const stop = simulator.observe(() => {
      if (points.length < at) return
      stop()
      resolve()
    })
  })
  await Promise.race([reached, gone])
  kill()
  await gone
  process.off('exit', kill)
}

interface Verified {
  readonly isWhole: boolean
  readonly checks: readonly { readonly name: string; readonly detail: string }[]
}

interface Said {
  readonly stdout: string
  readonly stderr: string
}

const MOST = 300

/** Lets the program itself check the log: that every request it led to comes out of it again. */
export async function verify({ project, home }: Place, id: string): Promise<ByHand['verified']> {
  const manifest = createRequire(import.meta.url).resolve('@nacre/cli/package.json')
  const program = join(manifest, '..', 'dist', 'main.js')
  const env = { ...process.env, NACRE_HOME: home }
  // It fails where the log is not whole, and says on stdout what it found all the same.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, 'verify', id, '--json'], {
    cwd: project,
    env,
  }).catch((error: Said) => error)
  if (!stdout.startsWith('{')) throw new Error(`nacre verify did not get to the log: ${stderr.trim().slice(0, MOST)}`)
  const { isWhole, checks } = JSON.parse(stdout) as Verified
  return { isWhole, requests: checks.find(({ name }) => name === 'requests')?.detail ?? '' }
}
