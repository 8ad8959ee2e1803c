import { createSession } from '../../packages/core/src/index.js'
import { scripted } from '../../packages/simulator/src/index.js'
import { standardTools } from '../../packages/tools/src/index.js'
import { say, surroundings, temporaryFolder } from './sessions.mjs'

/** A prompt for which the model runs a command: its permission, its process, its result in the log, and the answer. */
export async function prepare() {
  const call = /** @type {const} */ ({ type: 'tool_use', name: 'Bash', input: { command: 'echo hello' } })
  const { model, store } = await surroundings(scripted(['Good day.', [call], 'Done.']))
  const plugins = standardTools({ mcp: { files: { user: false, project: false } } })
  const session = await createSession({ model: model(), store: store(), cwd: temporaryFolder(), plugins })
  await say(session, 'Hello.')
  return async () => {
    const events = await say(session, 'Say hello.')
    const results = events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []))
    if (!JSON.stringify(results).includes('hello')) throw new Error(`The command gave ${JSON.stringify(results)}`)
  }
}
