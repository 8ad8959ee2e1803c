import { compact } from '../../packages/compact/src/index.js'
import { createSession } from '../../packages/core/src/index.js'
import { asksForSummary, summarize } from '../../packages/simulator/src/index.js'
import { say, surroundings } from './sessions.mjs'

/** A prompt for which a third file is read, more than the window holds, so that a summary takes the place of two. */
export async function prepare() {
  let answers = 0
  const { model, store } = await surroundings((turn) => {
    if (asksForSummary(turn)) return summarize(turn)
    answers += 1
    return answers % 2 === 0 ? 'Done.' : [{ type: 'tool_use', name: 'read', input: { path: `src/${answers}.ts` } }]
  }, 60_000)
  const session = await createSession({ model: model(), store: store(), plugins: [compact()], tools: [read] })
  await say(session, 'Read one.')
  await say(session, 'Read another.')
  return async () => {
    const events = await say(session, 'Read a third.')
    if (!events.some(({ type }) => type === 'receipt')) throw new Error('Nothing was compacted.')
  }
}

/** @type {import('../../packages/core/src/index.js').Tool<{ readonly path: string }>} */
const read = {
  name: 'read',
  description: 'Reads a file.',
  schema: {
    json: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    parse: (input) => /** @type {{ path: string }} */ (input),
  },
  isCompactable: true,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: ({ path }) => ({ content: [{ type: 'text', text: `${path}: ${'some words of a file. '.repeat(2400)}` }] }),
}
