import { createSession } from '../../packages/core/src/index.js'
import { say, surroundings } from './sessions.mjs'

/** A second prompt in a session without plugins, from `query()` to its end. */
export async function prepare() {
  const { model, store } = await surroundings(() => 'Good day.')
  const session = await createSession({ model: model(), store: store() })
  await say(session, 'Hello.')
  return async () => {
    await say(session, 'Hello again.')
  }
}
