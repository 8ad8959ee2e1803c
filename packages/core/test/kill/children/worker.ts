import { writeSync } from 'node:fs'
import { anthropicModel } from '../../../src/anthropic/index.js'
import { isNacreError } from '../../../src/errors.js'
import { fileStore } from '../../../src/node/index.js'
import { createSession } from '../../../src/session/create-session.js'
import type { OpenSession } from '../../../src/session/types.js'
import { folding } from '../folding.js'
import { SYSTEM, workerTools } from '../worker-tools.js'

// Works on a session until it is done or killed: begins it, or goes on with what is there. What it prints has happened.
const [home = '', project = '', id = '', baseURL = '', slowness = '0', mode = 'plain'] = process.argv.slice(2)
const tell = (...words: readonly string[]) => writeSync(1, `${words.join(' ')}\n`)
const model = anthropicModel({ model: 'claude-opus-5-5', apiKey: 'test', baseURL, thinking: { type: 'adaptive' } })
const tools = workerTools((callId) => tell('run', callId), Number(slowness))
const plugins = mode === 'folding' ? [folding] : []
const start = (open: OpenSession) =>
  createSession({ model, tools, plugins, system: SYSTEM, store: fileStore({ home, project }), open })

const session = await start({ resume: id }).catch((error: unknown) => {
  if (isNacreError(error, 'SESSION_NOT_FOUND')) return start({ id })
  throw error
})
tell('opened', session.id)
session.events.on('response', ({ entry }) => tell('response', entry.id))
session.events.on('tool-end', ({ call }) => tell('end', call.id))
const isNew = session.view().rounds.length === 0
for await (const event of session.query(isNew ? 'Work.' : undefined)) {
  if (event.type === 'end') tell('over', event.reason, event.error?.code ?? '')
}
await session.close()
