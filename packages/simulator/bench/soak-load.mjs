import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { HEADERS, MODEL, prose, randomNumbers } from './support.mjs'

const TURNS = 20
const AT_ONCE = 4

/**
 * Sends requests of every kind and takes the heap after `few` and after `many` of them.
 * @param {{ few: number, many: number, module: string, ledger: string }} options
 * @returns {Promise<{ before: number, after: number, requests: number }>}
 */
export async function soak({ few, many, module, ledger }) {
  const path = fileURLToPath(new URL('./soak-server.mjs', import.meta.url))
  const child = fork(path, [module, ledger], { execArgv: ['--expose-gc'] })
  try {
    const [url] = await once(child, 'message')
    const heap = async () => {
      child.send('heap')
      const [told] = await once(child, 'message')
      return told
    }
    await load(url, 0, few)
    const before = (await heap()).heap
    await load(url, few, many)
    const after = await heap()
    return { before, after: after.heap, requests: after.requests }
  } finally {
    child.kill()
  }
}

/** @param {string} url @param {number} from @param {number} to */
async function load(url, from, to) {
  let next = from
  const work = async () => {
    while (next < to) {
      if (next % TURNS === 0) await passTime(url)
      await ask(url, next++)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

/** A minute for each conversation, so that what the cache holds grows old as it would in a long run. @param {string} url */
async function passTime(url) {
  const response = await fetch(`${url}/simulator/clock`, { method: 'POST', body: JSON.stringify({ advance: 60_000 }) })
  await response.text()
}

/** Every tenth request is an error, every other one of the rest a stream. @param {string} url @param {number} number */
async function ask(url, number) {
  const isWrong = number % 10 === 9
  const headers = { ...HEADERS, 'x-nacre-source': `source${number % 5}` }
  const body = JSON.stringify({ ...requestOf(number), ...(isWrong && { max_tokens: -1 }), stream: number % 2 === 0 })
  const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers, body })
  const text = await response.text()
  const wanted = isWrong ? 400 : 200
  if (response.status !== wanted) throw new Error(`Request ${number} got ${response.status}: ${text}`)
}

/** Conversations that grow by a turn with each request, one after the other; all are different. @param {number} number */
function requestOf(number) {
  const random = randomNumbers(Math.floor(number / TURNS))
  const messages = Array.from({ length: 2 * (number % TURNS) + 1 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: prose(300, random) }],
  }))
  const diagnostics = { previous_message_id: null }
  return { model: MODEL, max_tokens: 100, cache_control: { type: 'ephemeral' }, diagnostics, messages }
}
