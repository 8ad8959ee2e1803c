import { definePlugin, type Plugin } from '@nacre/core'
import { pluginContract, scriptedModel } from '@nacre/core/testing'
import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { compact } from '../src/index.js'
import { eventsOf, setUp } from './support/start-session.js'

await pluginContract('compact', { create: () => compact() })

describe('compact', () => {
  it('is a list: the switch of all, and behind it a part for each layer', () => {
    const [first, ...parts] = compact()
    expect(first?.name).toBe('compact')
    expect(parts.map(({ name }) => name)).toEqual([
      'compact/erase',
      'compact/idle',
      'compact/clear',
      'compact/summary',
      'compact/digest',
      'compact/recall',
      'compact/snip',
      'compact/collapse',
      'compact/receipts',
    ])
    expect(parts.every(({ partOf }) => partOf === 'compact')).toBe(true)
  })

  it('is counted on for room only while a part of it that folds is on', async () => {
    const setup = await setUp(scripted(() => 'Yes.'))
    const isCountedOn = async (...off: string[]) => {
      const flags = Object.fromEntries(off.map((name) => [`compact.${name}`, false]))
      return (await setup.start({ plugins: [compact()], flags })).thresholds().autoCompact
    }
    expect(await isCountedOn()).toBe(true)
    expect(await isCountedOn('summary')).toBe(true)
    expect(await isCountedOn('summary', 'digest')).toBe(false)
  })

  it('has one flag for all of it, and one for each thing that it does', async () => {
    const setup = await setUp(scripted(() => 'Yes.'))
    const session = await setup.start({ plugins: [compact()] })
    const flags = session.flags.list().map(({ name, value }) => [name, value])
    expect(Object.fromEntries(flags)).toEqual({
      compact: true,
      'compact.api': true,
      'compact.cached': false,
      'compact.clear': true,
      'compact.collapse': false,
      'compact.digest': true,
      'compact.idle': true,
      'compact.recall': true,
      'compact.server': false,
      'compact.snip': true,
      'compact.summary': true,
    })
  })

  it('lists tools and commands in the order of its layers, while their flags are on', async () => {
    const setup = await setUp(scripted(() => 'Yes.'))
    const off = new Set<string>()
    const live = { read: (name: string) => (off.has(name) ? false : undefined) }
    const session = await setup.start({ plugins: [compact()], details: { flagSources: { live } } })
    const names = async () =>
      (await session.inspect()).plugins.flatMap(({ contribution: { tools = [] } }) => tools.map(({ name }) => name))
    expect(session.commands().map(({ name }) => name)).toEqual(['snip', 'receipt', 'receipts'])
    expect(await names()).toEqual(['Recall', 'Snip'])
    off.add('compact.recall')
    expect(await names()).toEqual(['Snip'])
    off.add('compact')
    expect(await names()).toEqual([])
    expect(session.commands()).toEqual([])
  })

  it('asks every part that has a handler for the same hook', async () => {
    const heard: string[] = []
    const listening = (name: string): Plugin =>
      definePlugin({
        name: `compact/${name}`,
        partOf: 'compact',
        setup: () => ({
          hooks: {
            SessionStart: () => void heard.push(`${name} start`),
            PreModelCall: ({ value }) => {
              heard.push(`${name} call`)
              return { ...value, extra: { ...value.extra, [name]: true } }
            },
            PostModelCall: () => void heard.push(`${name} answer`),
            SessionEnd: () => void heard.push(`${name} end`),
          },
        }),
      })
    const model = scriptedModel(['Yes.'])
    const setup = await setUp(scripted(() => ''))
    const session = await setup.start({ model, plugins: [compact(), listening('a'), listening('b')] })
    await eventsOf(session.query('Begin.'))
    await session.close()
    expect(heard).toEqual(['start', 'call', 'answer', 'end'].flatMap((what) => [`a ${what}`, `b ${what}`]))
    expect(model.requests[0]?.fields.extra).toMatchObject({ a: true, b: true })
  })

  it('sends the headers that two of its layers need', async () => {
    const setup = await setUp(
      scripted(() => 'Yes.'),
      { model: 'claude-opus-5-5' },
    )
    const session = await setup.start({ plugins: [compact()], flags: { 'compact.server': true } })
    await eventsOf(session.query('Begin.'))
    const { betas } = session.view().state('core', 'latched') as { betas: readonly string[] }
    expect(betas.map((beta) => beta.replace(/-\d{4}-.*/, ''))).toEqual(['context-management', 'compact'])
  })
})
