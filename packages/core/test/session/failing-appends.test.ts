import { describe, expect, it } from 'vitest'
import { isNacreError } from '../../src/errors.js'
import { createSession } from '../../src/session/create-session.js'
import type { Session } from '../../src/session/types.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import type { SessionEvent } from '../../src/types/events.js'
import type { Block, Entry } from '../../src/types/log.js'
import type { Request } from '../../src/types/model.js'
import { definePlugin } from '../../src/types/plugin.js'
import type { Store } from '../../src/types/store.js'
import { folding } from '../relief/folding.js'
import { illegalities, type PlainMessage } from '../view/oracle.js'
import { eventsOf, readFile } from './setup.js'

/** `unkept`: nothing was written. `kept`: it was, and the store says that it was not. */
type Way = 'unkept' | 'kept'

interface FailingStore extends Store {
  appends(): number
}

/** Fails at one append, counted from 1, and at no other. */
function failingStore(failing: number, way: Way): FailingStore {
  const store = memoryStore()
  let appends = 0
  return {
    ...store,
    appends: () => appends,
    async open(id, signal) {
      const opened = await store.open(id, signal)
      return {
        ...opened,
        async append(batch) {
          appends += 1
          if (appends !== failing) return opened.append(batch)
          if (way === 'kept') await opened.append(batch)
          throw new Error('EIO: the disk did not answer')
        },
      }
    },
  }
}

/** Notes something at each prompt, and writes a state and a change of the result at each call. */
const busy = definePlugin({
  name: 'busy',
  setup: () => ({
    hooks: {
      UserPromptSubmit: ({ prompt }, { note }) => note({ text: `noted ${textIn(prompt.content)}`, trust: 'runtime' }),
      PostToolUse: async ({ call, value }, { store }) => {
        const state = { kind: 'state' as const, id: '', time: 0, owner: '', key: 'last', value: call.id }
        await store.append([state])
        return { ...value, content: [...value.content, { type: 'text', text: 'seen' }] }
      },
    },
  }),
})

function textIn(content: readonly Block[]): string {
  return content.map(({ text }) => text).join()
}

const plainOf = ({ messages }: Request) => messages as unknown as readonly PlainMessage[]

const model = () =>
  scriptedModel((request) => {
    const last = plainOf(request).findLast(({ role }) => role === 'user')
    const isAnswered = last?.content.some(({ type }) => type === 'tool_result')
    return isAnswered ? 'Done.' : [{ type: 'tool_use', name: 'read_file', input: { path: 'a.ts' } }]
  })

const STEPS = ['one', 'two', 'compact', 'undo', 'three', 'clear', 'four'] as const
const PROMPTS = ['one', 'two', 'three', 'four']

interface Work {
  readonly store: FailingStore
  readonly failures: unknown[]
  session(): Promise<Session>
}

/** Works through all steps; one that failed is done again, as whoever reads its error would do. */
async function workThrough({ session: open, failures }: Work): Promise<Session> {
  const tried = async <Result>(work: () => Promise<Result>): Promise<Result> =>
    work().catch((error: unknown) => {
      failures.push(error)
      return work()
    })
  const session = await tried(open)
  for (const step of STEPS) {
    if (step === 'compact') await tried(() => session.compact())
    else if (step === 'undo') await tried(() => session.undo()).catch(mustBeDone)
    else if (step === 'clear') await tried(() => session.clear())
    else await say(session, step, failures)
  }
  return session
}

/** Taken back before the failure: there is nothing left to take back. */
function mustBeDone(error: unknown): void {
  if (!isNacreError(error, 'NOT_FOUND')) throw error
}

async function say(session: Session, prompt: string, failures: unknown[]): Promise<void> {
  const endOf = (events: SessionEvent[]) => events.at(-1) as Extract<SessionEvent, { readonly type: 'end' }>
  const { error } = endOf(await eventsOf(session.query(`prompt ${prompt}`)))
  if (!error) return
  failures.push(error)
  const isSaid = session.view().rounds.some(({ entries }) => JSON.stringify(entries).includes(`prompt ${prompt}"`))
  const last = session.view().rounds.at(-1)?.entries.at(-1)
  const isOver = last?.kind === 'assistant' && last.stop === 'end_turn'
  if (isSaid && isOver) return
  expect(endOf(await eventsOf(session.query(isSaid ? undefined : `prompt ${prompt}`)))).toMatchObject({
    reason: 'done',
  })
}

async function entriesOf(session: Session): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const entry of (await session.inspect()).entries()) entries.push(entry)
  return entries
}

function shownIn(session: Session): unknown {
  return session.view().rounds.map(({ entries, content, span }) => ({ entries, content, span }))
}

function work(failing: number, way: Way) {
  const store = failingStore(failing, way)
  const failures: unknown[] = []
  const asked = model()
  const options = { model: asked, plugins: [busy, folding], tools: [readFile], store }
  let tries = 0
  // A session that could not be made is made anew.
  const session = () => createSession({ ...options, open: { id: `session-${++tries}` } })
  return { store, failures, asked, session, options }
}

describe.each(['unkept', 'kept'] as const)(
  'a session whose store fails at one append, and what was meant is %s',
  (way) => {
    it('goes on after each of them, and loses and doubles nothing', async () => {
      const whole = work(0, way)
      await (await workThrough(whole)).close()
      const appends = whole.store.appends()
      expect([appends > 30, whole.failures]).toEqual([true, []])
      for (let failing = 1; failing <= appends; failing++) {
        const { store, failures, asked, options, ...rest } = work(failing, way)
        const session = await workThrough({ store, failures, ...rest })
        expect([failing, failures.length <= 1]).toEqual([failing, true])
        for (const request of asked.requests) expect([failing, illegalities(plainOf(request))]).toEqual([failing, []])
        const entries = await entriesOf(session)
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
        const log = JSON.stringify(entries)
        for (const prompt of PROMPTS) {
          expect([failing, prompt, log.split(`"text":"prompt ${prompt}"`).length - 1]).toEqual([failing, prompt, 1])
          expect([failing, prompt, log.split(`noted prompt ${prompt}`).length > 1]).toEqual([failing, prompt, true])
        }
        const shown = shownIn(session)
        await session.close()
        const resumed = await createSession({ ...options, open: { resume: session.id } })
        expect([failing, shownIn(resumed)]).toEqual([failing, shown])
        await resumed.close()
      }
    })
  },
)

it('says what to do while the log can be neither written nor read, and goes on when it can', async () => {
  const store = memoryStore()
  let isGone = false
  const gone = () => {
    if (isGone) throw new Error('EIO')
  }
  const broken: Store = {
    ...store,
    async open(id, signal) {
      const opened = await store.open(id, signal)
      const append: typeof opened.append = async (batch) => {
        gone()
        await opened.append(batch)
      }
      async function* readBack() {
        gone()
        yield* opened.readBack?.() ?? []
      }
      return { ...opened, append, readBack }
    },
  }
  const session = await createSession({ model: scriptedModel(['One.', 'Two.']), store: broken })
  await eventsOf(session.query('First.'))
  isGone = true
  for (const _ of [1, 2]) expect((await eventsOf(session.query('Second.'))).at(-1)).toMatchObject({ reason: 'error' })
  const told = (await eventsOf(session.query('Second.'))).at(-1)
  expect(told).toMatchObject({
    error: { code: 'STORE_UNWRITABLE', message: expect.stringContaining('Mend the store') },
  })
  isGone = false
  expect((await eventsOf(session.query('Second.'))).at(-1)).toEqual({ type: 'end', reason: 'done' })
  const log = JSON.stringify(await entriesOf(session))
  expect([log.split('First.').length, log.split('Second.').length]).toEqual([2, 2])
  await session.close()
})
