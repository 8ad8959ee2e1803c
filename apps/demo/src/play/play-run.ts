import type { Session } from '@nacre/core'
import { WORK } from '../story/story.js'
import type { Narrator } from '../tell/narrator.js'
import { silent } from '../tell/silent.js'
import { ask } from './ask.js'
import { openSession } from './open-session.js'
import { type Stage, setStage } from './stage.js'
import { testsPass } from './tests-pass.js'
import type { Run } from './told.js'

/** The same work in another setting: a name for people, a window, and what is switched off. */
export interface Setting {
  readonly name: string
  readonly window: number
  readonly off: readonly string[]
}

/** Plays the work in a setting, from a fresh shop to the fix or to where the API will not go on. */
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

/** Says all that the work takes; gives what the API said if it would not go on. */
export async function playWork(session: Session, narrator: Narrator): Promise<string | undefined> {
  for (const prompt of WORK) {
    const { error } = await ask(session, prompt, narrator)
    if (error) return error.message
  }
}

/** The figures of the work so far. */
export async function runOf(stage: Stage, name: string, refusal?: string): Promise<Run> {
  const { ledger } = stage.simulator
  const { dollars, hitRate } = ledger.totals()
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
    ...(refusal !== undefined && { refusal }),
    isFixed: await testsPass(stage.place.project),
  }
}
