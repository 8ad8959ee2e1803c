import { createSession } from '../../packages/core/src/index.js'
import { say, surroundings } from './sessions.mjs'

/** A session that was closed is opened again, with its model and its store, and is ready for a prompt. */
export async function prepare() {
  const { model, store } = await surroundings(() => 'Good day.')
  const before = await createSession({ model: model(), store: store() })
  await say(before, 'Hello.')
  await before.close()
  return async () => {
    const session = await createSession({ model: model(), store: store(), open: { resume: 'latest' } })
    if (session.id !== before.id) throw new Error('It was not resumed.')
  }
}
