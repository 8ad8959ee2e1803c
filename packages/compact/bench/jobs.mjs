import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { summarize } from '@nacre/simulator'
import { replay } from './replay.mjs'
import { codeLike, seeded } from './sessions/random.mjs'
import { recordedSessions } from './sessions/recorded.mjs'
import { seededSessions } from './sessions/seeded.mjs'
import { strategy } from './strategies.mjs'

/**
 * One replay: which session, what it does about its size, and what the cache costs.
 * @typedef {{ session: number, strategy: string, share: number }} Job
 * @typedef {{ folder?: string, turns?: number }} Source
 */

/** Recordings lack the system prompt and the tools. By their first calls those have about 26,000 tokens, and so has this. */
const SYSTEM_CHARACTERS = 70_000

/** The sessions to replay: those of the folder, or seeded ones of the same shapes. @param {Source} source */
export function sessionsFrom({ folder, turns }) {
  return (turns === undefined && recordedSessions(folder)) || seededSessions(turns === undefined ? {} : { turns })
}

/** Replays one session. @param {import('./sessions/exchanges.mjs').Session} session @param {Job} job */
export async function runJob(session, job) {
  const system = codeLike(seeded(1), SYSTEM_CHARACTERS)
  const { atEnd: _, ...replayed } = await replay(session, {
    ...strategy(job.strategy),
    share: job.share,
    system,
    summarize,
  })
  return { ...job, ...replayed }
}

/** Runs all of them here, one after the other. @param {Source} source @param {readonly Job[]} jobs */
export async function runHere(source, jobs) {
  const sessions = sessionsFrom(source)
  const done = []
  for (const job of jobs) done.push(await runJob(sessions[job.session], job))
  return done
}

/** Runs all of them on every processor; the answers stand in the order of the jobs. @param {Source} source @param {readonly Job[]} jobs */
export async function runEverywhere(source, jobs) {
  const done = Array(jobs.length)
  let next = 0
  const work = () =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./worker.mjs', import.meta.url), { workerData: source })
      const give = () => {
        const index = next++
        worker.postMessage(index < jobs.length ? { index, job: jobs[index] } : undefined)
      }
      worker.on('message', ({ index, replayed }) => {
        done[index] = replayed
        give()
      })
      worker.on('error', reject)
      worker.on('exit', resolve)
      give()
    })
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work))
  return done
}
