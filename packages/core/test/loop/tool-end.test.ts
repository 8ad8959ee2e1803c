import {
  createSession,
  definePlugin,
  type Model,
  memoryStore,
  NacreError,
  type Session,
  type SessionEvent,
  type Tool,
} from '@nacre/core'
import { type ScriptedTurn, scriptedModel } from '@nacre/core/testing'
import { expect, it } from 'vitest'

const text = (words: string) => ({ type: 'text', text: words })
const call = (name: string, input: object = {}) => ({ type: 'tool_use', name, input })

function tool(name: string, over: Partial<Tool> = {}): Tool {
  return {
    name,
    description: 'A tool.',
    schema: {
      json: { type: 'object' },
      parse(input) {
        if ((input as { bad?: true }).bad) throw new Error('bad is no field')
        return input
      },
    },
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    run: () => ({ content: [text('done')] }),
    ...over,
  }
}

const tools = [
  tool('write'),
  tool('look', { isReadOnly: () => true, isConcurrencySafe: () => true }),
  tool('checked', { check: () => ({ verdict: 'deny', reason: 'never' }) }),
  tool('asking', { check: () => ({ verdict: 'ask', reason: 'it writes' }) }),
  tool('broken', {
    run: () => {
      throw new Error('no disk')
    },
  }),
]
const warden = definePlugin({
  name: 'warden',
  setup: () => ({
    hooks: {
      PreToolUse: ({ call: { input } }) =>
        (input as { secret?: true }).secret ? { verdict: 'deny', reason: 'it is secret' } : undefined,
    },
  }),
})

const ids = (events: readonly SessionEvent[], type: 'tool-start' | 'tool-end') =>
  events.flatMap((event) => (event.type === type ? [event.call.id] : []))
const asked = (events: readonly SessionEvent[]) =>
  events
    .flatMap((event) => (event.type === 'response' ? event.entry.content : []))
    .flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []))

/** Every call has one end; what started has ended, after it had started. */
function expectOneEndEach(events: readonly SessionEvent[]): void {
  const ends = ids(events, 'tool-end')
  expect(ends.toSorted()).toEqual(asked(events).toSorted())
  const starts = ids(events, 'tool-start')
  expect(new Set(starts).size).toBe(starts.length)
  for (const id of starts) {
    const at = (type: string) =>
      events.findIndex((event) => event.type === type && 'call' in event && event.call.id === id)
    expect(at('tool-end')).toBeGreaterThan(at('tool-start'))
  }
}

async function heard(session: Session, until?: (event: SessionEvent) => void): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of session.query('Work.')) {
    events.push(event)
    until?.(event)
  }
  return events
}

async function start(turns: readonly ScriptedTurn[], said: 'allow' | 'deny' | { unanswered: string } = 'allow') {
  const details = { ask: async () => said, effects: { wait: () => undefined } }
  return createSession({ model: scriptedModel(turns), tools, plugins: [warden], details })
}

it('tells of each call once, and of those that did not run who was against it', async () => {
  const calls = [
    call('write'),
    call('write', { secret: true }),
    call('checked'),
    call('nobody'),
    call('look', { bad: true }),
    call('look'),
    call('broken'),
    call('asking'),
  ]
  const session = await start([calls, 'Done.'], 'deny')
  const events = await heard(session)
  await session.close()
  expectOneEndEach(events)
  const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event] : []))
  const told = ends.map(({ call: { name }, denied, result }) => [name, denied, Boolean(result.isError)])
  expect(told).toEqual([
    ['write', undefined, false],
    ['write', { by: 'plugin', name: 'warden', reason: 'it is secret' }, true],
    ['checked', { by: 'tool', name: 'checked', reason: 'never' }, true],
    ['nobody', { by: 'unknown', name: 'nobody', reason: expect.stringContaining("no tool 'nobody'") }, true],
    ['look', { by: 'input', name: 'look', reason: 'The input does not fit: bad is no field' }, true],
    ['look', undefined, false],
    ['broken', undefined, true],
    ['asking', { by: 'person', reason: 'Permission was not given: it writes' }, true],
  ])
  expect(ids(events, 'tool-start')).toHaveLength(3)
  for (const { denied, result } of ends) if (denied) expect(result.content).toEqual([text(denied.reason)])
})

it('says that nobody answered where nobody did', async () => {
  const session = await start([[call('asking')], 'Done.'], { unanswered: 'nobody is at home.' })
  const events = await heard(session)
  await session.close()
  expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({
    denied: { by: 'nobody', reason: 'Permission was not given: nobody is at home.' },
  })
})

it('tells of the calls that an interruption kept from beginning', async () => {
  const session = await start([[call('write'), call('write'), call('nobody')]])
  const controller = new AbortController()
  const events: SessionEvent[] = []
  for await (const event of session.query('Work.', { signal: controller.signal })) {
    events.push(event)
    if (event.type === 'tool-start') controller.abort()
  }
  await session.close()
  expect(events.at(-1)).toEqual({ type: 'end', reason: 'aborted' })
  expectOneEndEach(events)
  const by = events.flatMap((event) => (event.type === 'tool-end' ? [event.denied?.by] : []))
  expect(by.slice(1)).toEqual(['interruption', 'interruption'])
})

it('ends a call whose answer broke off, and tells of the same call in the next one under its name there', async () => {
  let begun = () => {}
  const hasBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const scripted = scriptedModel([
    { content: [{ ...call('slow'), id: 'first' }, text('And')], stop: 'max_tokens' },
    [call('slow')],
    'Done.',
  ])
  const model: Model = {
    info: scripted.info,
    async *stream(...args) {
      for await (const event of scripted.stream(...args)) {
        if (event.type === 'end') await hasBegun
        yield event
      }
    },
  }
  const run = () => {
    begun()
    return { content: [text('done')] }
  }
  const slow = tool('slow', { isReadOnly: () => true, isConcurrencySafe: () => true, run })
  const session = await createSession({ model, tools: [slow] })
  const events = await heard(session)
  await session.close()
  const [kept] = asked(events)
  const [dropped] = ids(events, 'tool-start')
  expect(asked(events)).toHaveLength(1)
  expect(ids(events, 'tool-start')).toEqual([dropped, kept])
  expect(ids(events, 'tool-end')).toEqual([dropped, kept])
  const told = events.flatMap((event) => (event.type === 'tool-end' ? [Boolean(event.result.isError)] : []))
  expect(told).toEqual([true, false])
})

it('leaves no call without its end when the store takes no result any more', async () => {
  const store = memoryStore()
  let isFull = false
  const full = {
    ...store,
    async open(...args: Parameters<typeof store.open>) {
      const opened = await store.open(...args)
      return {
        ...opened,
        async append(batch: Parameters<typeof opened.append>[0]) {
          if (isFull && batch.some(({ kind }) => kind === 'user'))
            throw new NacreError('STORE_UNWRITABLE', 'The disk is full.')
          await opened.append(batch)
        },
      }
    },
  }
  const model = scriptedModel([[call('write'), call('write'), call('write')]])
  const session = await createSession({ model, tools, store: full })
  const events = await heard(session, ({ type }) => {
    if (type === 'response') isFull = true
  })
  isFull = false
  await session.close()
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'error', error: { code: 'STORE_UNWRITABLE' } })
  expectOneEndEach(events)
  expect(events.flatMap((event) => (event.type === 'tool-end' ? [event.denied?.by] : []))).toEqual([
    undefined,
    'interruption',
    'interruption',
  ])
})
