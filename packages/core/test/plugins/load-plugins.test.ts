import { describe, expect, test } from 'vitest'
import type { NacreError } from '../../src/errors.js'
import { createFlags } from '../../src/plugins/flags.js'
import { type LoadOptions, loadPlugins } from '../../src/plugins/load-plugins.js'
import type { Contribution, Plugin } from '../../src/types/plugin.js'

/** Loads with a clock that moves a millisecond at each look, and writes down what happens. */
function loading(plugins: readonly Plugin[], over: Partial<LoadOptions> & { off?: readonly string[] } = {}) {
  const { off = [], ...rest } = over
  const reports: NacreError[] = []
  let time = 0
  const flags = createFlags({ plugins, options: Object.fromEntries(off.map((name) => [name, false])) })
  const context = { sessionId: 's', cwd: '/', model: {} as never, now: () => time++ }
  const loaded = loadPlugins({
    plugins,
    source: 'main',
    context,
    storeFor: () => ({}) as never,
    sessionFor: () => ({}) as never,
    isOn: flags.isOn,
    report: (error) => reports.push(error),
    ...rest,
  })
  return { loaded, reports }
}

function recorder() {
  const events: string[] = []
  const plugin = (name: string, more: Partial<Plugin> = {}, contribution: Contribution = {}): Plugin => ({
    name,
    setup: async () => {
      events.push(`+${name}`)
      return { dispose: () => void events.push(`-${name}`), ...contribution }
    },
    ...more,
  })
  return { events, plugin }
}

const failing = (): never => {
  throw new Error('broken')
}

describe('setup', () => {
  test('runs in order, is timed, and is taken back in reverse, once', async () => {
    const { events, plugin } = recorder()
    const loaded = await loading([plugin('a'), plugin('b', { scope: 'all' })]).loaded
    expect(loaded.plugins).toMatchObject([
      { name: 'a', scope: 'main', milliseconds: 1 },
      { name: 'b', scope: 'all', milliseconds: 1 },
    ])
    await Promise.all([loaded.dispose(), loaded.dispose()])
    expect(events).toEqual(['+a', '+b', '-b', '-a'])
  })

  test('does not run for a plugin that is switched off', async () => {
    const { events, plugin } = recorder()
    const loaded = await loading([plugin('a'), plugin('b')], { off: ['a'] }).loaded
    await loaded.dispose()
    expect(events).toEqual(['+b', '-b'])
  })

  test.each(['agent:reviewer', 'dream'])('runs only for plugins of scope all in a session of %s', async (source) => {
    const { events, plugin } = recorder()
    await loading([plugin('a'), plugin('b', { scope: 'all' })], { source }).loaded
    expect(events).toEqual(['+b'])
  })

  test('says that a part is off while the whole plugin is', async () => {
    let isOn = true
    let read = () => false
    const plugin: Plugin = {
      name: 'a',
      flags: { part: true },
      setup: ({ flag }) => {
        read = () => flag('part')
        return {}
      },
    }
    await loading([plugin], { isOn: (name) => name !== 'a' || isOn }).loaded
    expect(read()).toBe(true)
    isOn = false
    expect(read()).toBe(false)
  })

  test('reads the flags of its own plugin', async () => {
    const read: boolean[] = []
    const plugin: Plugin = {
      name: 'a',
      flags: { on: true, off: true },
      setup: ({ flag }) => {
        read.push(flag('on'), flag('off'))
        return {}
      },
    }
    await loading([plugin], { off: ['a.off'] }).loaded
    expect(read).toEqual([true, false])
  })

  test('that throws is an error with the name, and those before are disposed in reverse', async () => {
    const { events, plugin } = recorder()
    const { loaded } = loading([plugin('a'), plugin('b'), plugin('c', { setup: failing }), plugin('d')])
    await expect(loaded).rejects.toMatchObject({ code: 'PLUGIN_SETUP_FAILED', details: { plugin: 'c' } })
    await expect(loaded).rejects.toThrow("Plugin 'c' could not be set up: broken")
    expect(events).toEqual(['+a', '+b', '-b', '-a'])
  })

  test('that gives what can not be looked at is an error with the name', async () => {
    const contribution = Object.defineProperty({}, 'tools', { get: failing })
    const { loaded } = loading([{ name: 'a', setup: () => contribution }])
    await expect(loaded).rejects.toThrow("Plugin 'a' could not be set up: broken")
  })

  test('stops at an abort, and takes back what was set up', async () => {
    const controller = new AbortController()
    const { events, plugin } = recorder()
    const stopping = plugin('a', {}, {})
    const setup: Plugin['setup'] = (context) => {
      controller.abort()
      return stopping.setup(context)
    }
    const { loaded } = loading([{ ...stopping, setup }, plugin('b')], { signal: controller.signal })
    await expect(loaded).rejects.toMatchObject({ code: 'ABORTED' })
    expect(events).toEqual(['+a', '-a'])
  })
})

describe('dispose', () => {
  test('reports what fails, and goes on', async () => {
    const { events, plugin } = recorder()
    const { loaded, reports } = loading([plugin('a'), plugin('b', {}, { dispose: failing })])
    await (await loaded).dispose()
    expect(events).toEqual(['+a', '+b', '-a'])
    expect(reports.map(({ message }) => message)).toEqual(["Plugin 'b' could not be disposed: broken"])
  })

  test('is called on what setup returned', async () => {
    const own = {
      isOpen: true,
      dispose() {
        this.isOpen = false
      },
    }
    const loaded = await loading([{ name: 'a', setup: () => own }]).loaded
    await loaded.dispose()
    expect(own.isOpen).toBe(false)
  })
})

describe('a list that can not work', () => {
  const { plugin } = recorder()
  test.each([
    [
      'names a plugin twice',
      [plugin('a'), plugin('b'), plugin('a')],
      [],
      'DUPLICATE_PLUGIN',
      "Two plugins are called 'a'",
    ],
    [
      'lacks a required one',
      [plugin('b', { requires: ['a'] })],
      [],
      'MISSING_PLUGIN',
      "'b' requires 'a', which is not in the list. Put it before 'b'",
    ],
    [
      'has a required one later',
      [plugin('b', { requires: ['a'] }), plugin('a')],
      [],
      'MISSING_PLUGIN',
      "'b' requires 'a', which comes later in the list. Move it before 'b'",
    ],
    [
      'has a required one switched off',
      [plugin('a'), plugin('b', { requires: ['a'] })],
      ['a'],
      'MISSING_PLUGIN',
      "'b' requires 'a', which is switched off",
    ],
    [
      'has a required one of a narrower scope',
      [plugin('a'), plugin('b', { requires: ['a'], scope: 'all' })],
      [],
      'MISSING_PLUGIN',
      "Give 'a' the scope 'all'",
    ],
  ] as const)('%s', async (_what, plugins, off, code, words) => {
    const { loaded } = loading(plugins, { off })
    await expect(loaded).rejects.toMatchObject({ code })
    await expect(loaded).rejects.toThrow(words)
  })

  test('runs no setup', async () => {
    const own = recorder()
    await expect(loading([own.plugin('a'), own.plugin('a')]).loaded).rejects.toThrow()
    expect(own.events).toEqual([])
  })

  test('is fine when the one that lacks another is switched off too', async () => {
    const { loaded } = loading([plugin('a'), plugin('b', { requires: ['a'] })], { off: ['a', 'b'] })
    expect((await loaded).plugins).toEqual([])
  })
})

describe('names', () => {
  /** Enough for a tool, a command and a relief. */
  const same = {
    name: 'same',
    description: 'the same',
    help: 'the same',
    rung: 'clear',
    schema: { json: {}, parse: () => ({}) },
    run: () => '',
    offer: () => undefined,
  }
  const kinds = { tool: 'tools', command: 'commands', relief: 'reliefs' } as const
  test.each(Object.entries(kinds))('two plugins can not have a %s of one name', async (kind, field) => {
    const { events, plugin } = recorder()
    const contribution = { [field]: [same] } as Contribution
    const { loaded } = loading([plugin('a', {}, contribution), plugin('b', {}, contribution)])
    await expect(loaded).rejects.toMatchObject({ code: 'PLUGIN_SETUP_FAILED', details: { plugin: 'b', holder: 'a' } })
    await expect(loaded).rejects.toThrow(`Plugins 'a' and 'b' both have a ${kind} called 'same'.`)
    expect(events).toEqual(['+a', '+b', '-b', '-a'])
  })

  test('are also unique within a plugin, but not between kinds', async () => {
    const { plugin } = recorder()
    const named = [same] as never
    const both = { tools: named, commands: named, reliefs: named }
    expect((await loading([plugin('a', {}, both)]).loaded).plugins).toHaveLength(1)
    const { loaded } = loading([plugin('a', {}, { tools: [...named, ...named] as never })])
    await expect(loaded).rejects.toThrow("Plugin 'a' has two tools called 'same'.")
  })
})
