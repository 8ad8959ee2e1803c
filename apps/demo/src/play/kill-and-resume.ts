import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { LAST_JOB } from '../story/story.js'
import type { Narrator } from '../tell/narrator.js'
import { ask } from './ask.js'
import { extendsBody } from './extends-body.js'
import { openSession } from './open-session.js'
import type { Stage } from './stage.js'
import type { ByHand } from './told.js'
import { type Watcher, watchLayers } from './watch-layers.js'

/** Requests of the other process before it is killed: it has a file written by then, and waits for its tests. */
const REQUESTS = 2

interface Watching {
  readonly worker: string
  readonly session: string
  readonly narrator: Narrator
  readonly watcher: Watcher
}

/** Lets another process go on with the session, kills it in the middle, and finishes its work here. */
export async function killAndResume(
  stage: Stage,
  { worker, session: id, narrator, watcher }: Watching,
): Promise<ByHand['killed']> {
  const first = stage.points.length
  narrator.prompt(LAST_JOB)
  await killed(worker, stage, id, first + REQUESTS)
  const before = stage.bodies.slice(first)
  narrator.command(
    'kill -9',
    `on the process that works on this, ${before.length} requests into it; another one resumes the session`,
  )
  const session = await openSession(stage.place, { resume: id })
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

async function killed(worker: string, { place, points, simulator }: Stage, id: string, at: number): Promise<void> {
  const child = spawn(process.execPath, [worker, JSON.stringify(place), id, LAST_JOB], {
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
