import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import Tokenizer from 'ai-tokenizer'
import * as encoding from 'ai-tokenizer/encoding/claude'
import { median, post, requestBody, startServer } from './support.mjs'

const EXTEND_LIMIT = 12
const FIRST_LIMIT = 1.3
const TURNS = 15
/** Conversations for first sight; the first one warms up. */
const SIGHTS = 6
/** Blocks of each size that add up to about a million tokens. */
const SHAPES = [
  { name: 'blocks of 4 KB', size: 4_000, blocks: 525 },
  { name: 'blocks of 300 B', size: 300, blocks: 6_701 },
]

/** Code, since that is what agents read; made-up words would take the tokenizer less time than any real text. */
const code = readFileSync(createRequire(import.meta.url).resolve('typescript'), 'utf8')

/** A conversation that no other number shares a block with. @param {typeof SHAPES[number]} shape @param {number} number */
function conversation({ size, blocks }, number) {
  const length = Math.floor(code.length / 4)
  return Array.from({ length: blocks }, (_, index) => {
    const start = (number % 4) * length + ((index * size) % (length - size))
    return {
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: [{ type: 'text', text: `${number}.${index} ${code.slice(start, start + size)}` }],
    }
  })
}

/** A conversation of a million tokens: at first sight, and one turn longer. @returns {Promise<import('./support.mjs').Row[]>} */
export async function measureLargeRequests() {
  const rows = []
  for (const shape of SHAPES) {
    const server = await startServer('simulator')
    rows.push(await firstSight(server.url, shape), await extending(server.url, shape))
    server.stop()
  }
  return rows
}

/** @param {string} url @param {typeof SHAPES[number]} shape */
async function extending(url, shape) {
  const messages = conversation(shape, 0)
  const tokens = await countOf(url, requestBody(messages))
  const parses = []
  const times = []
  for (let turn = 0; turn < TURNS + 3; turn++) {
    messages.push({ role: 'assistant', content: [{ type: 'text', text: 'ok' }] })
    messages.push({ role: 'user', content: [{ type: 'text', text: `${turn} ${'more '.repeat(50)}` }] })
    const body = requestBody(messages)
    const started = performance.now()
    JSON.parse(body)
    parses.push(performance.now() - started)
    times.push((await post(url, body)).milliseconds)
  }
  const parse = median(parses.slice(3))
  const time = median(times.slice(3))
  return {
    name: `one more turn on ${inThousands(tokens)} tokens against JSON.parse, ${shape.name}`,
    ratio: time / parse,
    limit: EXTEND_LIMIT,
    detail: `${time.toFixed(1)} ms against ${parse.toFixed(1)} ms`,
  }
}

/** The tokenizer beside the server has seen the same texts in the same order. @param {string} url @param {typeof SHAPES[number]} shape */
async function firstSight(url, shape) {
  const tokenizer = new Tokenizer(encoding, undefined, 20_000)
  const ratios = []
  let detail = ''
  for (let sight = 0; sight < SIGHTS; sight++) {
    const messages = conversation(shape, sight)
    const started = performance.now()
    for (const { content } of messages) tokenizer.encode(content[0].text, 'all')
    const counting = performance.now() - started
    const body = requestBody(messages)
    const { milliseconds } = await post(url, body)
    ratios.push(milliseconds / counting)
    detail = `${milliseconds.toFixed(0)} ms against ${counting.toFixed(0)} ms`
  }
  return {
    name: `first sight of a million tokens against the tokenizer, ${shape.name}`,
    ratio: median(ratios.slice(1)),
    limit: FIRST_LIMIT,
    detail,
  }
}

/** @param {string} url @param {string} body */
async function countOf(url, body) {
  const { usage } = JSON.parse((await post(url, body)).text)
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens
}

/** @param {number} tokens */
function inThousands(tokens) {
  return `${Math.round(tokens / 1_000)}K`
}
