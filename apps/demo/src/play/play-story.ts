import type { Narrator } from '../tell/narrator.js'
import { playByHand } from './by-hand.js'
import { killAndResume } from './kill-and-resume.js'
import { openSession } from './open-session.js'
import { playWork, runOf } from './play-run.js'
import { setStage } from './stage.js'
import type { ByHand, Firing, Run } from './told.js'
import { verify } from './verify.js'
import { type Watcher, watchLayers } from './watch-layers.js'

const SESSION = 'demo'

export interface StoryOptions {
  readonly window: number
  readonly narrator: Narrator
  /** The script of the process that is killed. */
  readonly worker: string
}

export interface Story {
  readonly run: Run
  readonly firings: readonly Firing[]
  readonly byHand: ByHand
}

/** The whole story with all layers: the work, then what a person does by hand, a kill, and a last look at the log. */
export async function playStory({ window, narrator, worker }: StoryOptions): Promise<Story> {
  const stage = await setStage(window)
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
    const run = await runOf(stage, 'all layers', refusal)
    narrator.scene('By hand: compact, undo, compact without a network, look up, kill and resume')
    const acts = await playByHand(session, stage, narrator)
    await session.close()
    const killed = await killAndResume(stage, { worker, session: SESSION, narrator, watcher })
    const verified = await verify(stage.place, SESSION)
    return { run, firings, byHand: { ...acts, killed, verified } }
  } finally {
    await stage.close()
  }
}
