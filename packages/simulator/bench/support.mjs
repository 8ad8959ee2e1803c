import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { fileURLToPath } from 'node:url'

export const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2026-10-21', 'x-api-key': 'bench' }
export const MODEL = 'claude-opus-5-5'

/**
 * One row of the table: what was measured, and the most it may be.
 * @typedef {{ name: string, ratio: number, limit: number, detail: string }} Row
 */

/** @typedef {{ text: string, headers: readonly string[] }} Answer a body, and headers as a flat list */

/**
 * @param {'bare' | 'simulator'} kind
 * @param {{ count?: number, answer?: Answer }} [options] what the bare server answers
 */
export async function startServer(kind, { count = 1, answer = { text: '', headers: [] } } = {}) {
  const child = fork(fileURLToPath(new URL('./server.mjs', import.meta.url)), [kind, String(count)], {
    env: { ...process.env, BENCH_ANSWER: JSON.stringify(answer) },
  })
  const [urls] = await once(child, 'message')
  return {
    urls,
    url: urls[0],
    stop: () => child.kill(),
    /** Seconds of processor time so far. */
    async cpu() {
      child.send('cpu')
      const [{ user, system }] = await once(child, 'message')
      return (user + system) / 1e6
    },
  }
}

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
}

const agent = new Agent({ keepAlive: true })

/**
 * Sends a body and reads the whole answer.
 * @param {string} url
 * @param {string} body
 * @returns {Promise<Answer & { milliseconds: number }>}
 */
export function post(url, body) {
  const bytes = Buffer.from(body)
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const headers = { ...HEADERS, 'content-length': bytes.length }
    const request = httpRequest(`${url}/v1/messages`, { method: 'POST', agent, headers }, (response) => {
      /** @type {Buffer[]} */
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const milliseconds = performance.now() - started
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200) resolve({ milliseconds, text, headers: response.rawHeaders })
        else reject(new Error(`${response.statusCode} ${text.slice(0, 300)}`))
      })
    })
    request.on('error', reject)
    request.end(bytes)
  })
}

/** Numbers from 0 to 1 that repeat from run to run. @param {number} seed */
export function randomNumbers(seed) {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const COMMON = 'the of and to in is that it for was on are as with they be at one have this from or had by not'.split(
  ' ',
)
const USUAL =
  'system report question service number history problem company program government result interest change market window process family reason value message request session content answer record control project measure through another because between different important example several without something'.split(
    ' ',
  )
const RARE = ['be', 'con', 'der', 'est', 'mor', 'ing', 'lu', 'ment', 'no', 'per', 're', 'sta', 'tion', 'un', 'ver']

/** @param {readonly string[]} words @param {() => number} random */
function pick(words, random) {
  return words[Math.floor(random() * words.length)]
}

/** Text with the mix of common and rare words that prose has. @param {number} size @param {() => number} random */
export function prose(size, random) {
  let text = ''
  while (text.length < size) {
    const kind = random()
    const word =
      kind < 0.45
        ? pick(COMMON, random)
        : kind < 0.9
          ? pick(USUAL, random)
          : pick(RARE, random) + pick(RARE, random) + pick(RARE, random)
    text += random() < 0.08 ? `${word}, ` : random() < 0.06 ? `${word}.\n` : `${word} `
  }
  return `${text.slice(0, size - 1).trim()}.`
}

/**
 * A conversation of so many blocks of text, said in turn.
 * @param {number} blocks @param {number} size @param {() => number} random
 */
export function conversation(blocks, size, random) {
  return Array.from({ length: blocks }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: prose(size, random) }],
  }))
}

/** @param {readonly object[]} messages */
function marked(messages) {
  const last = messages.at(-1)
  const content = last.content.with(-1, { ...last.content.at(-1), cache_control: { type: 'ephemeral' } })
  return messages.with(-1, { ...last, content })
}

/** A request with a marker on its last block. @param {readonly object[]} messages */
export function requestBody(messages) {
  return JSON.stringify({ model: MODEL, max_tokens: 100, messages: marked(messages) })
}
