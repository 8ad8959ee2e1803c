import { describe, expect, it, onTestFinished } from 'vitest'
import { fileStore } from '../../src/node/index.js'
import { createSession } from '../../src/session/create-session.js'
import type { Session } from '../../src/session/types.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { SessionStore, Store } from '../../src/types/store.js'
import { temporaryHome } from '../node/temporary-home.js'
import { eventsOf } from './setup.js'

const WHOLE = 'the whole text that a tool gave'

/** Puts a text away at its first prompt, and reads it by a command. */
const storing = definePlugin({
  name: 'storing',
  setup({ store }) {
    return {
      hooks: {
        SessionStart: async ({ source }) => {
          if (source === 'startup') await store.put('result.txt', WHOLE)
        },
      },
      commands: [{ name: 'read', help: 'Reads it.', run: () => textOf(store, 'result.txt') }],
    }
  },
})

async function textOf(store: SessionStore, blob: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of store.get(blob)) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

describe.each([
  ['in memory', memoryStore],
  ['in files', () => fileStore({ home: temporaryHome() })],
] as const)('a fork of a session %s', (_, factory) => {
  const start = async (store: Store, options: object = {}): Promise<Session> => {
    const model = scriptedModel(['One.'])
    const session = await createSession({ model, store, plugins: [storing], ...options })
    onTestFinished(async () => void (await session.close()))
    return session
  }

  it('has the texts that were put away, also when the session that it copies is gone', async () => {
    const store = factory()
    const session = await start(store)
    await eventsOf(session.query('Go.'))
    const forked = await session.fork()
    const copied = await start(store, { open: { fork: session.id } })
    await session.close()
    expect([await forked.command('read'), await copied.command('read')]).toEqual([WHOLE, WHOLE])
  })

  it('has them as the fork of an agent too, whoever opens its log', async () => {
    const store = factory()
    const agent = definePlugin({
      name: 'agent',
      setup: ({ session }) => ({
        commands: [
          {
            name: 'begin',
            help: 'Begins a fork.',
            async run() {
              const child = await session.child({ source: 'agent:fork', id: 'one', from: 'fork' })
              await child.close()
              return child.id
            },
          },
        ],
      }),
    })
    const session = await start(store, { plugins: [storing, agent] })
    await eventsOf(session.query('Go.'))
    const id = await session.command('begin')
    const alone = await store.open(id, new AbortController().signal)
    expect(await textOf(alone, 'result.txt')).toBe(WHOLE)
    await alone.close()
  })
})
