import { conversation, median, post, randomNumbers, requestBody, startServer } from './support.mjs'

const LIMIT = 1.2
const FEW = 100
const MANY = 20_000
const SAMPLES = 1_500
const AT_ONCE = 8

/** Whether a request takes longer once many have been seen. @returns {Promise<import('./support.mjs').Row[]>} */
export async function measureLongRun() {
  // Three simulators in one process: one warms up the code, one has seen much, one has seen little.
  const server = await startServer('simulator', { count: 3 })
  const [warm, old, young] = server.urls
  await sendMany(warm, 3_000)
  await sendMany(old, MANY)
  await sendMany(young, FEW)
  const times = { old: [], young: [] }
  for (let sample = 0; sample < SAMPLES; sample++) {
    const body = bodyOf(MANY + sample)
    times.old.push((await post(old, body)).milliseconds)
    times.young.push((await post(young, body)).milliseconds)
  }
  server.stop()
  const after = median(times.old)
  const before = median(times.young)
  return [
    {
      name: `a request after ${MANY} against one after ${FEW}`,
      ratio: after / before,
      limit: LIMIT,
      detail: `${after.toFixed(3)} ms against ${before.toFixed(3)} ms`,
    },
  ]
}

const shared = conversation(20, 400, randomNumbers(3))

/** A conversation that shares its first messages with all others. @param {number} number */
function bodyOf(number) {
  return requestBody([...shared, { role: 'user', content: [{ type: 'text', text: `Question ${number}` }] }])
}

/** @param {string} url @param {number} count */
async function sendMany(url, count) {
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => post(url, bodyOf(sent + index))))
  }
}
