import { describe, expect, it } from 'vitest'
import type { NacreError } from '../../src/errors.js'
import { createSession } from '../../src/session/create-session.js'
import type { Session, SessionOptions } from '../../src/session/types.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import type { LeftBehind, SessionEvent } from '../../src/types/events.js'
import type { Model } from '../../src/types/model.js'
import { definePlugin, type Plugin } from '../../src/types/plugin.js'
import type { Store } from '../../src/types/store.js'
import type { Tool } from '../../src/types/tool.js'
import { stillTimer } from '../hooks/hook-session.js'
import { readFile } from './setup.js'

/** Never ends, and listens to nothing. */
const hang = () => new Promise<never>(() => undefined)

interface Hanging {
  readonly options: Partial<SessionOptions>
  readonly left: LeftBehind
  /** Whether the log itself can't be written any more: then it takes the limit to get away from it. */
  readonly isSlow?: true
}

const plugin = (contribution: ReturnType<Plugin['setup']>) =>
  definePlugin({ name: 'hanging', setup: () => contribution })
const toolOf = (over: Partial<Tool>): Plugin => plugin({ tools: [{ ...readFile, ...over }] })

const calling = () => scriptedModel([[{ type: 'tool_use', name: 'read_file', input: { path: 'a.ts' } }]])
const deaf: Model = { info: scriptedModel([]).info, stream: () => ({ [Symbol.asyncIterator]: () => ({ next: hang }) }) }

/** Every append hangs from the first prompt on. */
function hangingStore(): Store {
  const store = memoryStore()
  return {
    ...store,
    async open(id, signal) {
      const opened = await store.open(id, signal)
      return {
        ...opened,
        append: (batch) => (batch.some(({ kind }) => kind === 'user') ? hang() : opened.append(batch)),
      }
    },
  }
}

const KINDS: Readonly<Record<string, () => Hanging>> = {
  'a rule of a tool': () => ({
    options: { model: calling(), plugins: [toolOf({ check: hang })] },
    left: { what: 'tool', name: 'read_file', plugin: 'hanging' },
  }),
  'a tool': () => ({
    options: { model: calling(), plugins: [toolOf({ run: hang, isReadOnly: () => false })] },
    left: { what: 'tool', name: 'read_file', plugin: 'hanging' },
  }),
  'a model': () => ({ options: { model: deaf }, left: { what: 'model', name: 'scripted' } }),
  'a hook': () => ({
    options: { plugins: [plugin({ hooks: { UserPromptSubmit: hang } })] },
    left: { what: 'hook', name: 'UserPromptSubmit', plugin: 'hanging' },
  }),
  'a relief': () => ({
    options: { plugins: [plugin({ reliefs: [{ name: 'stuck', rung: 'clear', offer: hang }] })] },
    left: { what: 'relief', name: 'stuck', plugin: 'hanging' },
  }),
  'a store': () => ({ options: { store: hangingStore() }, left: { what: 'store', name: 'append' }, isSlow: true }),
}

interface Stage {
  readonly session: Session
  readonly time: ReturnType<typeof stillTimer>
  readonly reports: NacreError[]
}

async function start(options: Partial<SessionOptions>): Promise<Stage> {
  const time = stillTimer()
  const reports: NacreError[] = []
  const details = {
    ...options.details,
    effects: { timer: time.timer },
    report: (error: NacreError) => void reports.push(error),
  }
  return { session: await createSession({ model: scriptedModel([]), ...options, details }), time, reports }
}

/** Lets everything that does not wait for time come to where it waits. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

function gather(events: AsyncIterable<SessionEvent>): { readonly all: SessionEvent[]; readonly end: Promise<void> } {
  const all: SessionEvent[] = []
  const end = (async () => {
    for await (const event of events) all.push(event)
  })()
  return { all, end }
}

describe.each(Object.entries(KINDS))('a query in which %s hangs', (_kind, make) => {
  it('ends when it is stopped, and the session closes and says what it left', async () => {
    const { options, left, isSlow } = make()
    const { session, time, reports } = await start(options)
    const ends: SessionEvent[] = []
    session.events.on('end', (end) => void ends.push(end))
    const controller = new AbortController()
    const { all, end } = gather(session.query('Go.', { signal: controller.signal }))
    await settled()
    expect([all.at(-1)?.type === 'end', session.left()]).toEqual([false, expect.arrayContaining([left])])
    controller.abort()
    await settled()
    // Nothing but the log is worth waiting for.
    if (isSlow) time.fire()
    await end
    expect(all.filter(({ type }) => type === 'end')).toEqual(ends)
    expect(ends).toMatchObject([{ reason: 'aborted' }])
    if (isSlow) expect(ends).toMatchObject([{ left: [left] }])
    const closed = session.close()
    await settled()
    time.fire()
    await closed
    expect(session.left()).toEqual(expect.arrayContaining([left]))
    expect(reports.at(-1)?.message).toContain(left.plugin ?? left.name)
  })
})

it('ends at once where the stop comes before a deaf model is asked', async () => {
  const controller = new AbortController()
  let begun = 0
  const stopping: Model = {
    info: deaf.info,
    stream(request, signal) {
      begun += 1
      controller.abort()
      return deaf.stream(request, signal)
    },
  }
  const { session } = await start({ model: stopping })
  const { all, end } = gather(session.query('Go.', { signal: controller.signal }))
  await end
  expect([begun, all.at(-1)]).toEqual([1, { type: 'end', reason: 'aborted' }])
  await session.close()
})

it('closes within its limit though background work goes on for ever, after it told that work to stop', async () => {
  let wasStopped = false
  const forever = plugin({
    hooks: {
      PostModelCall: (_event, { defer }) =>
        defer((signal) => {
          signal.addEventListener('abort', () => (wasStopped = true))
          return hang()
        }),
    },
  })
  const { session, time, reports } = await start({
    plugins: [forever],
    details: { limits: { deferred: Number.POSITIVE_INFINITY } },
  })
  await gather(session.query('Go.')).end
  const closed = session.close()
  await settled()
  expect([wasStopped, Math.max(...time.pending())]).toEqual([false, 120_000])
  time.fire()
  await closed
  expect([wasStopped, session.left()]).toEqual([
    true,
    [{ what: 'background', name: 'deferred work', plugin: 'hanging' }],
  ])
  expect(reports.at(-1)).toMatchObject({ code: 'ABORTED', message: expect.stringContaining("'hanging'") })
})

it('takes the limit of a close from its options, and keeps a part of it for the log', async () => {
  const time = stillTimer()
  const details = { limits: { closeWithin: 1_000 }, effects: { timer: time.timer } }
  const stuck = plugin({ dispose: hang })
  const session = await createSession({ model: scriptedModel([]), plugins: [stuck], details })
  const closed = session.close()
  await settled()
  expect(time.pending()).toEqual([600, 800, 1_000])
  time.fire()
  await closed
  expect(session.left()).toEqual([{ what: 'plugin', name: 'dispose' }])
})

it('says at once what is in the way when it is asked while something that was left still writes', async () => {
  const { session, time } = await start({ store: hangingStore() })
  const controller = new AbortController()
  const first = gather(session.query('One.', { signal: controller.signal }))
  const second = gather(session.query('Two.', { signal: controller.signal }))
  await settled()
  controller.abort()
  time.fire()
  await Promise.all([first.end, second.end])
  expect([...first.all, ...second.all].map(({ type }) => type)).toEqual(['end', 'end'])
  const third = gather(session.query('Three.'))
  await third.end
  expect(third.all).toMatchObject([{ reason: 'error', error: { code: 'SESSION_BUSY' } }])
  await expect(session.clear()).rejects.toThrow('store append')
  const closed = session.close()
  await settled()
  time.fire()
  await closed
})
