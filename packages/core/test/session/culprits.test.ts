import {
  createSession,
  definePlugin,
  memoryStore,
  type NacreError,
  type Plugin,
  type Session,
  type SessionEvent,
  type SessionOptions,
  type SessionStore,
  type Tool,
} from '@nacre/core'
import { type ScriptedTurn, scriptedModel } from '@nacre/core/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'

const text = (words: string) => ({ type: 'text', text: words })
const write = { type: 'tool_use', name: 'write', input: {} }

function toolThat(run: () => unknown): Tool {
  return {
    name: 'write',
    description: 'Writes.',
    schema: { json: { type: 'object' }, parse: (input) => input },
    isReadOnly: () => false,
    isConcurrencySafe: () => false,
    run: run as Tool['run'],
  }
}

async function heard(session: Session, prompt: unknown = 'Work.'): Promise<SessionEvent[]> {
  const events: SessionEvent[] = []
  for await (const event of session.query(prompt as string)) events.push(event)
  return events
}

async function start(turns: readonly ScriptedTurn[], options: Partial<SessionOptions> = {}) {
  const reports: NacreError[] = []
  const details = { ...options.details, report: (error: NacreError) => reports.push(error) }
  const session = await createSession({ model: scriptedModel(turns), ...options, details })
  return { session, reports }
}

const refusal = (options: unknown): Promise<NacreError> =>
  createSession(options as SessionOptions).then(
    () => expect.unreachable(),
    (error: NacreError) => error,
  )
const withPlugin = (plugin: unknown) => refusal({ model: scriptedModel([]), plugins: [plugin] })
const RAW = /Cannot|is not a function|is not iterable|\[object|undefined \(reading/

describe('what can not start names its culprit in a sentence', () => {
  it.each<[unknown, string]>([
    [undefined, 'The model of the session is undefined'],
    [{}, 'The model of the session is undefined'],
    [{ model: null }, 'The model of the session is null'],
    [{ model: 'claude-opus-5-5' }, 'The model of the session is "claude-opus-5-5"'],
    [{ model: { info: {} } }, 'The model of the session is {"info":{}}'],
    [{ model: scriptedModel([]), details: { fallback: 'other' } }, `The session's 'fallback' is "other"`],
  ])('a model: case %#', async (options, words) => {
    const error = await refusal(options)
    expect(error).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining(words) })
    expect(error.message).toContain('anthropicModel()')
  })

  it('a model that comes later', async () => {
    const { session } = await start([])
    await expect(session.setModel(undefined as never)).rejects.toThrow('The new model is undefined')
    await session.close()
  })

  it.each<[unknown, string]>([
    [undefined, 'Number 1 of the plugins is none'],
    [null, 'It is null'],
    ['permissions', 'It is "permissions"'],
    [() => ({}), 'Call it'],
    [{}, 'It is {}'],
    [{ setup: () => ({}) }, 'It is {}'],
    [{ name: 'quiet' }, "Plugin 'quiet' has no setup"],
    [{ name: 'quiet', setup: () => undefined }, "Plugin 'quiet' could not be set up: setup has to give an object"],
    [{ name: 'quiet', setup: async () => null }, 'and gave null'],
    [{ name: 'quiet', setup: () => 'tools' }, 'and gave "tools"'],
    [{ name: 'quiet', setup: () => ({ tools: {} }) }, "'tools' has to be a list, and is {}"],
    [{ name: 'quiet', setup: () => ({ hooks: null }) }, "'hooks' has to be an object, and is null"],
    [
      { name: 'quiet', setup: () => Promise.reject(undefined) },
      "Plugin 'quiet' could not be set up: it did not say why",
    ],
    [
      { name: 'quiet', setup: () => ({ prompt: [{ name: 'rules', scope: 'static', text: () => 5 }] }) },
      "Plugin 'quiet' could not write its section 'rules': it gave 5",
    ],
    [
      {
        name: 'quiet',
        setup: () => ({ prompt: [{ name: 'rules', scope: 'static', text: () => Promise.reject(null) }] }),
      },
      "Plugin 'quiet' could not write its section 'rules'",
    ],
  ])('a plugin: case %#', async (plugin, words) => {
    const error = await withPlugin(plugin)
    expect(error).toMatchObject({ code: 'PLUGIN_SETUP_FAILED', message: expect.stringContaining(words) })
    expect(error.message).not.toMatch(RAW)
  })

  it('plugins that are no list', async () => {
    const plugins = definePlugin({ name: 'quiet', setup: () => ({}) })
    const error = await refusal({ model: scriptedModel([]), plugins })
    expect(error.message).toContain("'plugins' has to be a list of plugins")
  })
})

describe('the name of a hook', () => {
  const hearing = (name: string, over: Partial<Plugin> = {}) =>
    definePlugin({ name: 'hearing', setup: () => ({ hooks: { [name]: () => undefined } }), ...over })

  it.each([
    ['PreTooluse', 'PreToolUse'],
    ['preToolUse', 'PreToolUse'],
    ['PreToolUses', 'PreToolUse'],
    ['UserPromptSubmitted', 'UserPromptSubmit'],
    ['OnStop', 'Stop'],
  ])('%s is an error, and %s was meant', async (wrong, meant) => {
    const error = await withPlugin(hearing(wrong))
    expect(error).toMatchObject({ code: 'PLUGIN_SETUP_FAILED', details: { plugin: 'hearing' } })
    expect(error.message).toContain(`there is no hook '${wrong}'. Did you mean '${meant}'?`)
  })

  it('is an error also when it is like no other', async () => {
    const { message } = await withPlugin(hearing('toString'))
    expect(message).toContain("there is no hook 'toString'. Hooks beyond those of core")
  })

  it('may be that of a plugin in the list, wherever it stands, or one that the plugin knows itself', async () => {
    const asking = definePlugin({ name: 'asking', ownHooks: ['PreMinutes'], setup: () => ({}) })
    for (const plugins of [
      [asking, hearing('PreMinutes')],
      [hearing('PreMinutes'), asking],
      [hearing('PreMinutes', { ownHooks: ['PreMinutes'] })],
    ]) {
      const { session } = await start([], { plugins })
      await session.close()
    }
  })
})

describe('a plugin that takes too long', () => {
  afterEach(() => void vi.useRealTimers())
  const never = () => new Promise<never>(() => undefined)

  it.each<[number | undefined, number, string]>([
    [undefined, 60_000, '60 s'],
    [2_000, 2_000, '2 s'],
  ])('to set itself up is named: a limit of %s', async (setup, wait, words) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const slow = definePlugin({ name: 'slow', setup: never })
    const limits = setup === undefined ? {} : { setup }
    const failed = refusal({ model: scriptedModel([]), plugins: [slow], details: { limits } })
    let isOver = false
    void failed.then(() => {
      isOver = true
    })
    await vi.advanceTimersByTimeAsync(wait - 1)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    const message = `Plugin 'slow' could not be set up: no answer within ${words}; 'limits.setup' of the session gives it more`
    expect(await failed).toMatchObject({ code: 'PLUGIN_SETUP_FAILED', message, details: { plugin: 'slow' } })
  })

  it('to set itself up is disposed when it comes after all', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let finish: (given: object) => void = () => {}
    const slow = definePlugin({ name: 'slow', setup: () => new Promise((resolve) => (finish = resolve)) })
    const failed = refusal({ model: scriptedModel([]), plugins: [slow] })
    await vi.advanceTimersByTimeAsync(60_000)
    await failed
    const dispose = vi.fn()
    finish({ dispose })
    await vi.advanceTimersByTimeAsync(0)
    expect(dispose).toHaveBeenCalledOnce()
  })

  it('to be disposed is left behind, and named', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const clingy = definePlugin({ name: 'clingy', setup: () => ({ dispose: never }) })
    const { session, reports } = await start([], { plugins: [clingy] })
    const closed = session.close()
    await vi.advanceTimersByTimeAsync(10_000)
    await closed
    expect(reports.map(({ message }) => message)).toEqual([
      "Plugin 'clingy' could not be disposed: no answer within 10 s; 'limits.dispose' of the session gives it more",
    ])
  })

  it('with work that it has deferred is told to stop, and named', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let signal: AbortSignal | undefined
    const busy = definePlugin({
      name: 'busy',
      setup: () => ({
        hooks: {
          PostModelCall: (_event, { defer }) =>
            defer((given) => {
              signal = given
              return never()
            }),
        },
      }),
    })
    const { session, reports } = await start(['Hello.'], { plugins: [busy], details: { limits: { deferred: 5_000 } } })
    await heard(session)
    await vi.advanceTimersByTimeAsync(4_999)
    expect([signal?.aborted, reports]).toEqual([false, []])
    await vi.advanceTimersByTimeAsync(1)
    expect(signal?.aborted).toBe(true)
    expect(reports).toMatchObject([{ code: 'HOOK_TIMEOUT', details: { plugin: 'busy' } }])
    expect(reports[0]?.message).toContain("'busy' took longer than 5 s and was stopped; 'limits.deferred'")
    await session.close()
  })
})

describe('a tool that gives no result', () => {
  it.each<[unknown, string]>([
    [undefined, 'but undefined'],
    [null, 'but null'],
    ['written', 'but "written"'],
    [[text('written')], 'but [{"type"'],
    [{}, 'whose content is nothing and not a list'],
    [{ content: 'written' }, 'whose content is string and not a list'],
    [{ content: ['written'] }, 'whose content has a block without a type: "written"'],
    [{ content: [{ text: 'written' }] }, 'whose content has a block without a type'],
    [{ content: [null] }, 'whose content has a block without a type: null'],
    [{ content: [{ type: 'text' }] }, 'whose content has a text without its words'],
  ])('is named in a result that the model can read: case %#', async (given, words) => {
    const failures: unknown[] = []
    const plugin = definePlugin({
      name: 'listening',
      setup: () => ({ hooks: { PostToolUseFailure: ({ error }) => void failures.push(error) } }),
    })
    const { session } = await start([[write], 'Done.'], { tools: [toolThat(() => given)], plugins: [plugin] })
    const events = await heard(session)
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'done' })
    const [end] = events.filter((event) => event.type === 'tool-end')
    expect(end?.result.isError).toBe(true)
    const said = String(end?.result.content[0]?.text)
    expect(said).toMatch(/^The tool 'write' gave no result that can be used, /)
    expect(said).toContain(words)
    expect(failures).toMatchObject([{ message: said }])
    // What is kept can be sent: the session goes on.
    expect((await heard(session)).at(-1)).toEqual({ type: 'end', reason: 'done' })
    await session.close()
  })
})

describe('a hook that makes rubbish of a value', () => {
  it.each<[string, unknown, string]>([
    ['PreparePrompt', 'Hello', 'the value is string, not an object'],
    ['PreparePrompt', null, 'the value is nothing, not an object'],
    ['PreparePrompt', { content: 'Hello' }, "the value has string as 'content', not a list"],
    ['PreparePrompt', { content: [{ type: 'text' }] }, 'the content has a text without its words: {"type":"text"}'],
    ['PreModelCall', 5, 'the value is number, not an object'],
    ['PreModelCall', { maxTokens: 'many' }, "the value has string as 'maxTokens', not number"],
    ['PrepareToolUse', {}, "the value has nothing as 'id', not string"],
    ['PostToolUse', { content: [{}] }, 'the content has a block without a type: {}'],
    ['PostToolUse', { content: [], logged: 'x' }, "the value has string as 'logged', not a list"],
  ])('%s is reported with its plugin, and the last good value stays: case %#', async (hook, value, words) => {
    const odd = definePlugin({ name: 'odd', setup: () => ({ hooks: { [hook]: () => value } }) })
    const written = () => ({ content: [text('written')] })
    const { session, reports } = await start([[write], 'Done.'], { tools: [toolThat(written)], plugins: [odd] })
    const events = await heard(session)
    await session.close()
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'done' })
    expect(events.find(({ type }) => type === 'tool-end')).toMatchObject({ result: { content: [text('written')] } })
    expect(reports[0]).toMatchObject({ code: 'HOOK_FAILED', details: { plugin: 'odd', hook } })
    expect(reports[0]?.message).toBe(`Hook ${hook} of plugin 'odd': ${words}`)
  })

  it.each([[5], [null], [{ content: [] }], [[{ text: 'Hello' }]]])(
    'a prompt that is none says so: %j',
    async (prompt) => {
      const { session } = await start(['Hello.'])
      const end = (await heard(session, prompt)).at(-1)
      await session.close()
      expect(end).toMatchObject({ type: 'end', reason: 'error', error: { code: 'INVALID_REQUEST' } })
      expect(JSON.stringify(end)).not.toMatch(RAW)
    },
  )
})

describe('a store that fails', () => {
  /** A store of which one method fails as soon as it is told to. */
  function failing(method: keyof SessionStore, thrown: unknown) {
    const store = memoryStore()
    const state = { isBroken: false }
    const fail = () => {
      throw thrown
    }
    return {
      state,
      store: {
        ...store,
        async open(...args: Parameters<typeof store.open>) {
          const opened = await store.open(...args)
          const own = opened[method] as (...given: unknown[]) => unknown
          return { ...opened, [method]: (...given: unknown[]) => (state.isBroken ? fail() : own.apply(opened, given)) }
        },
      },
    }
  }

  it.each([[new Error('quota')], ['quota']])('is named where a query could not be logged: %s', async (thrown) => {
    const { store, state } = failing('append', thrown)
    const { session } = await start(['Hello.'], { store, open: { id: 'one' } })
    state.isBroken = true
    const end = (await heard(session)).at(-1)
    state.isBroken = false
    await session.close()
    const message = 'The store could not append to session one: quota'
    expect(end).toMatchObject({ type: 'end', reason: 'error', error: { code: 'STORE_UNWRITABLE', message } })
  })

  it('is named where it can not be read', async () => {
    const { store, state } = failing('readBack', new Error('no answer'))
    state.isBroken = true
    const error = await refusal({ model: scriptedModel([]), store, open: { id: 'one' } })
    expect(error).toMatchObject({
      code: 'STORE_UNREADABLE',
      message: 'The store could not read session one: no answer',
    })
  })

  it('is named where it gives no log at all', async () => {
    const store = { ...memoryStore(), open: async () => undefined as never }
    const error = await refusal({ model: scriptedModel([]), store, open: { id: 'one' } })
    expect(error.message).toBe('The store gave undefined for session one, and no log.')
  })
})
