import {
  type Block,
  createSession,
  definePlugin,
  type OwnSession,
  type PluginList,
  type SessionDetails,
  type SessionEvent,
} from '@nacre/core'
import { scriptedModel } from '@nacre/core/testing'
import { describe, expect, it } from 'vitest'

type Answer = () => unknown

const throwing = (what: unknown) => () => {
  throw what
}
const rejecting = (what: unknown) => () => Promise.reject(what)
const getters = (over: PropertyDescriptorMap) => Object.defineProperties({ reason: 'because' }, over)
/** Says one thing to whoever asks first, and another one after that. */
const fickle = (...said: readonly string[]) =>
  getters({ verdict: { get: () => said.concat(said.at(-1) ?? '')[asked++] } })
let asked = 0

/** Whatever is no answer, at any gate. */
const ODD: Readonly<Record<string, Answer>> = {
  null: () => null,
  false: () => false,
  true: () => true,
  '0': () => 0,
  '1': () => 1,
  "''": () => '',
  "'ALLOW'": () => 'ALLOW',
  "'allow '": () => 'allow ',
  "'yes'": () => 'yes',
  '{}': () => ({}),
  '[]': () => [],
  "['allow']": () => ['allow'],
  'a function': () => () => 'allow',
  'a String': () => new String('allow'),
  "{ verdict: 'allow ' }": () => ({ verdict: 'allow ', reason: 'fine' }),
  "{ verdict: 'ALLOW' }": () => ({ verdict: 'ALLOW', reason: 'fine' }),
  "{ verdict: ['allow'] }": () => ({ verdict: ['allow'], reason: 'fine' }),
  '{ verdict: true }': () => ({ verdict: true }),
  '{ allow: true }': () => ({ allow: true }),
  "{ deny: '' }": () => ({ deny: '' }),
  '{ deny: undefined }': () => ({ deny: undefined }),
  '{ unanswered: null }': () => ({ unanswered: null }),
  "{ verdict: 'deny' } without a reason": () => ({ verdict: 'deny' }),
  "{ verdict: 'deny' } with an empty reason": () => ({ verdict: 'deny', reason: '' }),
  "{ verdict: 'deny' } with null for a reason": () => ({ verdict: 'deny', reason: null }),
  'a getter that throws': () => getters({ verdict: { get: throwing(undefined) } }),
  'a reason that throws': () => ({
    verdict: 'deny',
    get reason() {
      throw null
    },
  }),
  "'deny' first, and 'allow' later": () => fickle('deny', 'allow'),
  'a throw of undefined': throwing(undefined),
  'a throw of null': throwing(null),
  "a throw of ''": throwing(''),
  'a throw of a text': throwing('allow'),
  'a throw of an object': throwing({ verdict: 'allow' }),
  'a throw of what has no words': throwing(Object.create(null)),
  'a throw of an Error without words': throwing(new Error('')),
  'a rejection with undefined': rejecting(undefined),
  'a rejection with null': rejecting(null),
  "a rejection with ''": rejecting(''),
  'a rejection with a text': rejecting('allow'),
  'a rejection with an object': rejecting({ verdict: 'allow' }),
}

interface Stage {
  readonly check?: Answer
  readonly plugins?: PluginList
  readonly ask?: Answer
}

/** One call of a tool, behind the gates that are given: whether it ran, and what the model reads and everybody hears. */
async function callBehind({ check, plugins = [], ask }: Stage) {
  asked = 0
  let runs = 0
  const tool = {
    name: 'write',
    description: 'Writes.',
    schema: { json: { type: 'object' }, parse: (input: unknown) => input },
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    ...(check && { check: check as never }),
    run: () => {
      runs += 1
      return { content: [{ type: 'text', text: 'written' }] }
    },
  }
  const details: SessionDetails = ask ? { ask: async () => (await ask()) as never } : {}
  const model = scriptedModel([[{ type: 'tool_use', name: 'write', input: {} }], 'Done.'])
  const session = await createSession({ model, plugins, tools: [tool], details })
  const events: SessionEvent[] = []
  for await (const event of session.query('Write.')) events.push(event)
  const blocks = session.view().rounds.flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  const [result] = blocks.filter(({ type }) => type === 'tool_result')
  await session.close()
  const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event] : []))
  return { runs, said: textOf(result), ends, end: events.at(-1) }
}

function textOf(result: Block | undefined): string {
  const [block] = (result?.content ?? []) as readonly Block[]
  return String(block?.text)
}

const hooked = (hooks: object) => [definePlugin({ name: 'warden', setup: () => ({ hooks }) })]
const asks = { PreToolUse: () => ({ verdict: 'ask', reason: 'it writes' }) }

const GATES: Readonly<Record<string, { stage(answer: Answer): Stage; names: RegExp; by: readonly string[] }>> = {
  'the check of a tool': { stage: (check) => ({ check }), names: /'write'|because/, by: ['tool'] },
  PreToolUse: {
    stage: (answer) => ({ plugins: hooked({ PreToolUse: answer }) }),
    names: /'warden'|because/,
    by: ['plugin'],
  },
  PermissionRequest: {
    stage: (answer) => ({ plugins: hooked({ ...asks, PermissionRequest: answer }) }),
    names: /'warden'|because/,
    by: ['plugin'],
  },
  'the person': {
    stage: (ask) => ({ plugins: hooked(asks), ask }),
    names: /^Permission was not given|^The person said no/,
    by: ['person', 'nobody'],
  },
}

describe.each(Object.entries(GATES))('%s', (_gate, { stage, names, by }) => {
  it.each(Object.entries(ODD))('lets no call run by %s', async (_answer, answer) => {
    const { runs, said, ends, end } = await callBehind(stage(answer))
    expect(runs).toBe(0)
    expect(said).toMatch(names)
    expect(said).not.toMatch(/undefined$|\[object Object\]|Cannot read/)
    expect(ends).toMatchObject([{ denied: { reason: said } }])
    expect(by).toContain(ends[0]?.denied?.by)
    expect(end).toEqual({ type: 'end', reason: 'done' })
  })
})

describe('what is exactly a yes', () => {
  const yes = () => ({ verdict: 'allow', reason: '' })
  it.each<[string, Stage]>([
    ['nobody who has anything to say', { check: () => undefined, plugins: hooked({ PreToolUse: () => undefined }) }],
    ['a tool that allows', { check: yes }],
    ['a tool that allows without a reason', { check: () => ({ verdict: 'allow' }) }],
    [
      'a plugin that allows what a tool asks about',
      { check: () => ({ verdict: 'ask' }), plugins: hooked({ PreToolUse: yes }) },
    ],
    ['a plugin that answers for the person', { plugins: hooked({ ...asks, PermissionRequest: yes }) }],
    ['the person', { plugins: hooked({ ...asks, PermissionRequest: () => undefined }), ask: () => 'allow' }],
  ])('lets a call run: %s', async (_who, stage) => {
    const { runs, said, ends } = await callBehind(stage)
    expect([runs, said]).toEqual([1, 'written'])
    expect(ends).toHaveLength(1)
    expect(ends[0]?.denied).toBeUndefined()
  })
})

describe('a gate that never answers', () => {
  const never = () => new Promise<never>(() => undefined)
  it.each(['PreToolUse', 'PermissionRequest'])('closes %s after its time', async (name) => {
    const { runs, said } = await callBehind({ plugins: hooked({ ...asks, [name]: { timeout: 5, handler: never } }) })
    expect(runs).toBe(0)
    expect(said).toBe(`Hook ${name} of plugin 'warden': no answer within 0.005 s`)
  })
})

/** A session whose model calls the tool `write` in every conversation but the main one. */
async function besides(plugins: PluginList) {
  let runs = 0
  const tool = {
    name: 'write',
    description: 'Writes.',
    schema: { json: { type: 'object' }, parse: (input: unknown) => input },
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    run: () => {
      runs += 1
      return { content: [{ type: 'text', text: 'written' }] }
    },
  }
  const model = scriptedModel(({ messages }) => {
    const said = JSON.stringify(messages.at(-1))
    return said.includes('Write.') ? [{ type: 'tool_use', name: 'write', input: {} }] : 'Done.'
  })
  const session = await createSession({ model, plugins, tools: [tool] })
  for await (const _ of session.query('Hello.'));
  return { session, runs: () => runs }
}

async function callInFork(allow: Answer): Promise<number> {
  const prompt = [{ type: 'text', text: 'Write.' }]
  const forking = definePlugin({
    name: 'forking',
    setup: () => ({
      commands: [
        {
          name: 'fork',
          help: 'Forks.',
          run: async (_args, { fork }) =>
            (await fork({ source: 'look', prompt, maxTurns: 3, allow: allow as () => boolean })).text,
        },
      ],
    }),
  })
  const { session, runs } = await besides([forking])
  expect(await session.command('fork')).toBe('Done.')
  await session.close()
  return runs()
}

async function callInChild(calls: object): Promise<number> {
  let own: OwnSession | undefined
  const plugin = definePlugin({
    name: 'parent',
    setup({ session }) {
      own = session
      return {}
    },
  })
  const { session, runs } = await besides([plugin])
  const child = await own?.child({ source: 'agent:one', id: 'one', from: 'new', calls })
  const ends: unknown[] = []
  for await (const event of child?.query('Write.') ?? []) if (event.type === 'end') ends.push(event)
  expect(ends).toEqual([{ type: 'end', reason: 'done' }])
  await session.close()
  return runs()
}

describe('gates beside the conversation', () => {
  it.each(Object.entries(ODD).filter(([name]) => name !== 'true'))(
    'a fork runs no call by %s',
    async (_name, allow) => {
      expect(await callInFork(allow)).toBe(0)
    },
  )

  it.each(Object.entries(ODD))('a sub-agent that is forbidden a call by %s does not run it', async (_name, forbids) => {
    expect(await callInChild({ forbids })).toBe(0)
  })

  it.each(Object.entries(ODD).filter(([name]) => name !== 'true' && !name.startsWith('a throw')))(
    'a sub-agent is offered no tool by %s',
    async (_name, offers) => {
      expect(await callInChild({ offers })).toBe(0)
    },
  )

  it('run what is exactly allowed', async () => {
    expect(await callInFork(() => true)).toBe(1)
    expect(await callInChild({ forbids: () => undefined, offers: () => true })).toBe(1)
    expect(await callInChild({})).toBe(1)
  })
})
