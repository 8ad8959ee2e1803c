import Anthropic from '@anthropic-ai/sdk'
import { createSession } from '@nacre/core'
import { anthropicModel } from '@nacre/core/anthropic'
import { cpu } from './support.mjs'

/** Runs what it is told in a process of its own: a session, or the SDK alone with bodies that a session has sent. */
const [baseURL = '', turns = '200'] = process.argv.slice(2)
const client = new Anthropic({ apiKey: 'bench', baseURL, maxRetries: 0 })
const CONTENT = Array.from({ length: 60 }, (_, line) => `${line}: const value${line} = compute(${line * 7})`).join('\n')

const readFile = {
  name: 'read_file',
  description: 'Reads a file.',
  schema: { json: { type: 'object' }, parse: (input) => input },
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: () => ({ content: [{ type: 'text', text: CONTENT }] }),
}

async function session() {
  const model = anthropicModel({ model: 'claude-opus-5-5', apiKey: 'bench', baseURL })
  const running = await createSession({ model, tools: [readFile], system: 'You read files.' })
  for await (const event of running.query(`Read ${turns} files.`)) {
    if (event.type === 'end' && event.reason !== 'done') throw new Error(`${event.reason}: ${event.error}`)
  }
  await running.close()
}

/** @param {readonly object[]} bodies */
async function bare(bodies) {
  for (const body of bodies) {
    const stream = await client.messages.create(body)
    for await (const event of stream) if (event.type === 'error') throw new Error('The stream failed.')
  }
}

process.on('message', async ({ run, bodies = [] }) => {
  // What is parsed before the clock starts is no work of the SDK's.
  const parsed = bodies.map((body) => JSON.parse(body))
  process.send?.(await cpu(run === 'session' ? session : () => bare(parsed)))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
