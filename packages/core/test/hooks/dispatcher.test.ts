import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDispatcher, type DispatcherOptions, type HookOwner } from '../../src/hooks/dispatcher.js'
import type { HookContext, Hooks } from '../../src/types/hooks.js'
import type { ToolCall, ToolResult } from '../../src/types/tool.js'
import { echoTool, hookSession, recordedOptions, stillTimer } from './hook-session.js'

const call: ToolCall = { id: 'call-1', name: 'Bash', input: { command: 'ls' } }
const result = (text: string): ToolResult => ({ content: [{ type: 'text', text }] })
const textOf = ({ content }: ToolResult) => content.map(({ text }) => text).join()
const plugin = (name: string, hooks: Hooks, scope: 'main' | 'sessions' | 'all' = 'main'): HookOwner => ({
  name,
  scope,
  contribution: { hooks },
})
const strictest = ['deny', 'ask', 'allow'] as const
const verdict = (name: string, given: (typeof strictest)[number]) =>
  plugin(name, { PreToolUse: () => ({ verdict: given, reason: name }) })
const never = () => new Promise<never>(() => {})

function dispatching(plugins: readonly HookOwner[], over: Partial<DispatcherOptions> = {}) {
  const { options, reports, notes } = recordedOptions(plugins, over)
  return { hooks: createDispatcher(options), reports, notes }
}

describe('collect', () => {
  test('asks all in order and gathers their answers', async () => {
    const { hooks } = dispatching([
      plugin('a', { SessionEnd: () => undefined, PreCompact: () => ({ instructions: 'one' }) }),
      plugin('b', { PreCompact: () => undefined }),
      plugin('c', { PreCompact: async () => ({ veto: 'two' }) }),
    ])
    expect(await hooks.collect('PreCompact', {} as never)).toEqual([
      { owner: 'a', answer: { instructions: 'one' } },
      { owner: 'c', answer: { veto: 'two' } },
    ])
  })

  test('takes an empty object for an answer', async () => {
    const { hooks } = dispatching([plugin('a', { PreCompact: () => ({}) as never })])
    expect(await hooks.collect('PreCompact', {} as never)).toEqual([{ owner: 'a', answer: {} }])
  })

  test('reports a throw, and the rest still run', async () => {
    const failing = () => {
      throw new Error('broken')
    }
    const { hooks, reports } = dispatching([
      plugin('a', { PreCompact: failing }),
      plugin('b', { PreCompact: () => ({ instructions: 'two' }) }),
    ])
    expect(await hooks.collect('PreCompact', {} as never)).toHaveLength(1)
    expect(reports).toMatchObject([{ code: 'HOOK_FAILED', details: { plugin: 'a', hook: 'PreCompact' } }])
    expect(reports[0]?.message).toBe("Hook PreCompact of plugin 'a': broken")
  })

  test('reports a handler that hangs, tells it by its signal, and goes on', async () => {
    const clock = stillTimer()
    let heard: HookContext | undefined
    const hanging = (_event: unknown, context: HookContext) => {
      heard = context
      return never()
    }
    const { hooks, reports } = dispatching(
      [plugin('slow', { PreCompact: hanging }), plugin('b', { PreCompact: () => ({ instructions: 'two' }) })],
      { timer: clock.timer },
    )
    const collected = hooks.collect('PreCompact', {} as never)
    expect(clock.pending()).toEqual([60_000])
    clock.fire()
    expect(await collected).toHaveLength(1)
    expect(reports).toMatchObject([{ code: 'HOOK_TIMEOUT', details: { plugin: 'slow', hook: 'PreCompact' } }])
    expect(heard?.signal.aborted).toBe(true)
    expect(clock.pending()).toEqual([])
  })

  test('waits for a handler as long as the handler itself asks for', async () => {
    const clock = stillTimer()
    const patient = { timeout: Number.POSITIVE_INFINITY, handler: () => ({ instructions: 'late' }) }
    const quick = { timeout: 5, handler: never }
    const hooksOf = (entry: object) => ({ PreCompact: entry }) as Hooks
    const { hooks } = dispatching([plugin('a', hooksOf(patient)), plugin('b', hooksOf(quick))], { timer: clock.timer })
    const collected = hooks.collect('PreCompact', {} as never)
    await Promise.resolve()
    while (clock.pending().length === 0) await Promise.resolve()
    expect(clock.pending()).toEqual([5])
    clock.fire()
    expect(await collected).toEqual([{ owner: 'a', answer: { instructions: 'late' } }])
  })
})

describe('transform', () => {
  test('hands each handler what the one before made, and says who changed it', async () => {
    const add = (text: string) => plugin(text, { PostToolUse: ({ value }) => result(textOf(value) + text) })
    const look = plugin('look', { PostToolUse: () => undefined })
    const same = plugin('same', { PostToolUse: ({ value }) => value })
    const { hooks } = dispatching([add('b'), look, same, add('c')])
    const event = { call, value: result('a') }
    expect(await hooks.transform('PostToolUse', event)).toEqual({
      value: result('abc'),
      changes: [
        { owner: 'b', value: result('ab') },
        { owner: 'c', value: result('abc') },
      ],
    })
    expect(event.value).toEqual(result('a'))
  })

  test('keeps the last good value when a handler throws', async () => {
    const { hooks, reports } = dispatching([
      plugin('a', { PostToolUse: () => result('good') }),
      plugin('b', { PostToolUse: () => Promise.reject(new Error('broken')) }),
    ])
    const { value, changes } = await hooks.transform('PostToolUse', { call, value: result('first') })
    expect([textOf(value), changes.map(({ owner }) => owner), reports.length]).toEqual(['good', ['a'], 1])
  })
})

describe('decide', () => {
  test('gives the strictest verdict with its owner; of two alike the first', async () => {
    const { hooks } = dispatching([verdict('a', 'allow'), verdict('b', 'ask'), verdict('c', 'ask')])
    expect(await hooks.decide('PreToolUse', { call, tool: echoTool })).toEqual({
      verdict: 'ask',
      reason: 'b',
      owner: 'b',
    })
  })

  test('asks nobody after the strictest verdict has fallen', async () => {
    let asked = 0
    const late = plugin('late', { PreToolUse: () => void asked++ })
    const { hooks } = dispatching([verdict('a', 'deny'), late])
    expect(await hooks.decide('PreToolUse', { call, tool: echoTool })).toMatchObject({ verdict: 'deny' })
    expect(asked).toBe(0)
  })

  test('gives nothing when nobody answers', async () => {
    const { hooks } = dispatching([plugin('a', { PreToolUse: () => undefined })])
    expect(await hooks.decide('PreToolUse', { call, tool: echoTool })).toBeUndefined()
  })

  test('fails closed when a handler throws, also after a milder verdict', async () => {
    const broken = plugin('b', { PreToolUse: () => Promise.reject(new Error('broken')) })
    const { hooks, reports } = dispatching([verdict('a', 'allow'), broken])
    const decided = hooks.decide('PreToolUse', { call, tool: echoTool })
    await expect(decided).rejects.toMatchObject({ code: 'HOOK_FAILED', details: { plugin: 'b', hook: 'PreToolUse' } })
    expect(reports).toEqual([])
  })

  test('fails closed when a handler hangs', async () => {
    const clock = stillTimer()
    const { hooks } = dispatching([plugin('a', { PreToolUse: never })], { timer: clock.timer, timeout: 1000 })
    const decided = hooks.decide('PreToolUse', { call, tool: echoTool })
    clock.fire()
    await expect(decided).rejects.toMatchObject({ code: 'HOOK_TIMEOUT', details: { plugin: 'a', hook: 'PreToolUse' } })
    await expect(decided).rejects.toThrow('no answer within 1 s')
  })

  test('names the timeout, not what a handler throws when it hears of it', async () => {
    const clock = stillTimer()
    const listening = (_event: unknown, { signal }: HookContext) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('I heard')))
      })
    const { hooks } = dispatching([plugin('a', { PreToolUse: listening })], { timer: clock.timer })
    const decided = hooks.decide('PreToolUse', { call, tool: echoTool })
    clock.fire()
    await expect(decided).rejects.toMatchObject({ code: 'HOOK_TIMEOUT' })
  })

  test.each([[{ verdict: 'perhaps' }], [{}], [null]])('fails closed at the answer %j', async (answer) => {
    const { hooks } = dispatching([plugin('a', { PreToolUse: () => answer as never })])
    await expect(hooks.decide('PreToolUse', { call, tool: echoTool })).rejects.toMatchObject({
      code: 'HOOK_FAILED',
    })
  })
})

describe('who is asked', () => {
  const heardBy = async (plugins: readonly HookOwner[], over: Partial<DispatcherOptions> = {}) => {
    const { hooks } = dispatching(plugins, over)
    return (await hooks.collect('PreCompact', {} as never)).map(({ owner }) => owner)
  }
  const answering = (name: string, scope?: 'main' | 'sessions' | 'all') =>
    plugin(name, { PreCompact: () => ({ instructions: name }) }, scope)

  test.each(['main', 'sessions'] as const)('plugins of scope %s do not hear forks', async (scope) => {
    const plugins = [answering('a', scope), answering('b', 'all')]
    expect(await heardBy(plugins)).toEqual(['a', 'b'])
    expect(await heardBy(plugins, { session: hookSession({ source: 'compact', isFork: true }) })).toEqual(['b'])
  })

  test('a plugin is not called while its flag is off', async () => {
    const off = new Set(['a'])
    const { hooks } = dispatching([answering('a'), answering('b')], { isOn: (name) => !off.has(name) })
    expect(await hooks.collect('PreCompact', {} as never)).toHaveLength(1)
    off.clear()
    expect(await hooks.collect('PreCompact', {} as never)).toHaveLength(2)
  })

  test('pre comes before and post after all others, each in the order of the list', async () => {
    const orders = fc.array(fc.constantFrom('pre', 'normal', 'post'), { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(orders, async (given) => {
        const plugins = given.map((order, index) => {
          const handler = () => ({ instructions: order })
          const entry = order === 'normal' ? handler : { order: order as 'pre' | 'post', handler }
          return plugin(`${order}-${index}`, { PreCompact: entry })
        })
        const expected = ['pre', 'normal', 'post'].flatMap((order) =>
          given.flatMap((own, index) => (own === order ? [`${own}-${index}`] : [])),
        )
        expect(await heardBy(plugins)).toEqual(expected)
      }),
    )
  })

  test('whatever the order, the strictest verdict wins and is the first of its kind', async () => {
    const verdicts = fc.array(fc.option(fc.constantFrom(...strictest), { nil: undefined }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(verdicts, async (given) => {
        const asked: number[] = []
        const plugins = given.map((own, index) => {
          const answer = () => {
            asked.push(index)
            return own && { verdict: own, reason: own }
          }
          return plugin(String(index), { PreToolUse: answer })
        })
        const { hooks } = dispatching(plugins)
        const decided = await hooks.decide('PreToolUse', { call, tool: echoTool })
        const wanted = strictest.find((one) => given.includes(one))
        expect(decided).toEqual(wanted && { verdict: wanted, reason: wanted, owner: String(given.indexOf(wanted)) })
        const denied = given.indexOf('deny')
        expect(asked).toHaveLength(denied < 0 ? given.length : denied + 1)
      }),
    )
  })
})

describe('notes', () => {
  const note = (text: string) => ({ text, trust: 'content' }) as const
  const noting = (text: string, then?: () => never) =>
    plugin(text, {
      PreToolUse: (_event, context) => {
        context.note(note(text))
        then?.()
      },
    })

  test('are delivered by owner when the dispatch ends', async () => {
    const order: string[] = []
    const { hooks } = dispatching(
      [noting('a'), noting('b'), plugin('c', { PreToolUse: () => void order.push('asked') })],
      { notes: (owner, notes) => order.push(`${owner}: ${notes.map(({ text }) => text)}`) },
    )
    await hooks.decide('PreToolUse', { call, tool: echoTool })
    expect(order).toEqual(['asked', 'a: a', 'b: b'])
  })

  test('of a handler that throws are dropped; those of the others are not', async () => {
    const throwing = noting('b', () => {
      throw new Error('broken')
    })
    const { hooks, notes } = dispatching([noting('a'), throwing])
    await expect(hooks.decide('PreToolUse', { call, tool: echoTool })).rejects.toThrow('broken')
    expect(notes).toEqual([{ owner: 'a', notes: [note('a')] }])
  })

  test('given after the call has ended are refused with a word about propose', async () => {
    const kept: HookContext[] = []
    const { hooks } = dispatching([plugin('a', { PreToolUse: (_event, context) => void kept.push(context) })])
    await hooks.decide('PreToolUse', { call, tool: echoTool })
    expect(() => kept[0]?.note(note('late'))).toThrow('propose()')
  })
})

describe('the context', () => {
  test('names the session, leads back to the dispatcher, and tells the session who asks', async () => {
    const asked: unknown[] = []
    const session = hookSession({
      defer: (owner) => asked.push(['defer', owner]),
      propose: async (owner) => ({ refused: owner }),
      fork: async (owner) => ({ text: owner }) as never,
    })
    const seeing = plugin('a', {
      SessionEnd: async (_event, context) => {
        asked.push(context.sessionId, context.source, context.hooks === hooks)
        context.defer(async () => {})
        asked.push(await context.propose({ changes: [], reason: '' }), await context.fork({} as never))
      },
    })
    const { hooks } = dispatching([seeing], { session })
    await hooks.collect('SessionEnd', { reason: 'done' })
    expect(asked).toEqual(['session-1', 'main', true, ['defer', 'a'], { refused: 'a' }, { text: 'a' }])
  })
})

describe('an abort', () => {
  const aborting = (kind: 'PreCompact' | 'PostToolUse' | 'PreToolUse') => {
    const controller = new AbortController()
    const asked: string[] = []
    const stop = plugin('stop', {
      [kind]: (_event: unknown, { signal }: HookContext) => {
        asked.push('stop')
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('I heard')))
          controller.abort()
        })
      },
    })
    const later = plugin('later', { [kind]: () => void asked.push('later') })
    const session = hookSession({ signal: controller.signal })
    return { asked, ...dispatching([stop, later], { session }) }
  }

  test('ends a collect with what there is, without a report', async () => {
    const { hooks, asked, reports } = aborting('PreCompact')
    expect(await hooks.collect('PreCompact', {} as never)).toEqual([])
    expect([asked, reports]).toEqual([['stop'], []])
  })

  test('ends a transform with the value it has', async () => {
    const { hooks, asked } = aborting('PostToolUse')
    const { value } = await hooks.transform('PostToolUse', { call, value: result('first') })
    expect([textOf(value), asked]).toEqual(['first', ['stop']])
  })

  test('reaches the caller of a gate', async () => {
    const { hooks, asked } = aborting('PreToolUse')
    await expect(hooks.decide('PreToolUse', { call, tool: echoTool })).rejects.toMatchObject({
      code: 'ABORTED',
    })
    expect(asked).toEqual(['stop'])
  })
})
