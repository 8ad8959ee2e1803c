import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anthropicModel } from '../../packages/core/src/anthropic/index.js'
import { resolveModel } from '../../packages/core/src/index.js'
import { fileStore } from '../../packages/core/src/node/index.js'
import { startSimulator } from '../../packages/simulator/src/index.js'

/**
 * A model behind a socket, and a store in a folder of its own: what a session has in the program.
 * @param {import('../../packages/simulator/src/index.js').SimulatedModel} answers
 * @param {number} [window]
 */
export async function surroundings(answers, window) {
  const { url } = await startSimulator({ model: answers, details: { seed: 1 } })
  const home = temporaryFolder()
  const resolved = () => resolveModel('claude-sonnet-4-6', window === undefined ? {} : { window })
  return {
    model: () => anthropicModel({ model: resolved(), apiKey: 'none', baseURL: url }),
    store: () => fileStore({ home }),
  }
}

/** Is gone when the process ends. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'nacre-executed-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Works on a prompt to its end, which has to be a good one, and gives all events.
 * @param {import('../../packages/core/src/index.js').Session} session
 * @param {string} prompt
 */
export async function say(session, prompt) {
  const events = []
  for await (const event of session.query(prompt)) events.push(event)
  const last = events.at(-1)
  if (last?.type !== 'end' || last.reason !== 'done') throw new Error(`The query ended so: ${JSON.stringify(last)}`)
  return events
}
