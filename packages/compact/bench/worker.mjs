import { parentPort, workerData } from 'node:worker_threads'
import { runJob, sessionsFrom } from './jobs.mjs'

const sessions = sessionsFrom(workerData)
parentPort?.on('message', async (given) => {
  if (given === undefined) return parentPort?.close()
  const { index, job } = given
  const replayed = await runJob(sessions[job.session], job)
  parentPort?.postMessage({ index, replayed })
})
