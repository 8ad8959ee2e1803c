import { InMemoryProvider, OpenFeature } from '@openfeature/server-sdk'
import { describe, expect, test } from 'vitest'
import type { NacreError } from '../../src/errors.js'
import { openFeatureFlags } from '../../src/openfeature/open-feature-flags.js'
import { createFlags } from '../../src/plugins/flags.js'

const boolean = (value: boolean) => ({
  variants: { on: true, off: false },
  defaultVariant: value ? ('on' as const) : ('off' as const),
  disabled: false,
})
const text = { variants: { a: 'yes' }, defaultVariant: 'a' as const, disabled: false }
const plugins = [{ name: 'compact', flags: { clear: true } }, { name: 'dream' }]

let domains = 0
async function provided(flags: ConstructorParameters<typeof InMemoryProvider>[0]) {
  const domain = `test-${domains++}`
  const provider = new InMemoryProvider(flags)
  await OpenFeature.setProviderAndWait(domain, provider)
  const reports: NacreError[] = []
  const live = openFeatureFlags(OpenFeature.getClient(domain), { report: (error) => reports.push(error) })
  return { provider, reports, flags: createFlags({ plugins, live }) }
}

describe('flags of an OpenFeature provider', () => {
  test('stand above the others once they have been evaluated, and leave the rest alone', async () => {
    const { flags } = await provided({ dream: boolean(false) })
    expect(flags.isOn('dream')).toBe(true)
    await flags.refresh()
    expect(flags.list()).toEqual([
      { name: 'compact', value: true, from: 'default' },
      { name: 'compact.clear', value: true, from: 'default' },
      { name: 'dream', value: false, from: 'live' },
    ])
  })

  test('change for the next turn, not within one', async () => {
    const { flags, provider } = await provided({ dream: boolean(false) })
    await flags.refresh()
    await provider.putConfiguration({ dream: boolean(true) })
    expect(flags.isOn('dream')).toBe(false)
    await flags.refresh()
    await flags.refresh()
    expect(flags.isOn('dream')).toBe(true)
  })

  test('keep their last value through an error, and say so when the type is wrong', async () => {
    const { flags, provider, reports } = await provided({ dream: boolean(false) })
    await flags.refresh()
    await provider.putConfiguration({ dream: text })
    await flags.refresh()
    await flags.refresh()
    expect(flags.isOn('dream')).toBe(false)
    expect(reports[0]).toMatchObject({ code: 'INVALID_SETTINGS' })
    expect(reports[0]?.message).toContain("'dream'")
  })

  test('fall back to the layers below when the provider drops them', async () => {
    const { flags, provider } = await provided({ dream: boolean(false) })
    await flags.refresh()
    await provider.putConfiguration({})
    await flags.refresh()
    await flags.refresh()
    expect(flags.list().at(-1)).toEqual({ name: 'dream', value: true, from: 'default' })
  })

  test('have no opinion without a provider', async () => {
    const live = openFeatureFlags(OpenFeature.getClient('nobody'))
    const flags = createFlags({ plugins, options: { dream: false }, live })
    await flags.refresh()
    expect(flags.list().at(-1)).toEqual({ name: 'dream', value: false, from: 'options' })
  })
})

describe('with a client that answers when it is told to', () => {
  function slowClient() {
    const waiting: ((value: boolean) => void)[] = []
    const handlers = new Map<string, () => unknown>()
    const client = {
      getBooleanDetails: (flagKey: string) =>
        new Promise((resolve) => {
          waiting.push((value) => resolve({ flagKey, value, flagMetadata: {} }))
        }),
      addHandler: (event: string, handler: () => unknown) => void handlers.set(event, handler),
    } as unknown as Parameters<typeof openFeatureFlags>[0]
    const answer = (value: boolean) => {
      for (const give of waiting.splice(0)) give(value)
    }
    return { client, handlers, waiting, answer }
  }
  const dream = [{ name: 'dream' }]

  test('a read never waits, and a turn keeps what it began with', async () => {
    const { client, answer } = slowClient()
    const flags = createFlags({ plugins: dream, live: openFeatureFlags(client) })
    const first = flags.refresh()
    expect(flags.isOn('dream')).toBe(true)
    answer(false)
    await first
    expect(flags.isOn('dream')).toBe(false)
    const second = flags.refresh()
    answer(true)
    await second
    expect(flags.isOn('dream')).toBe(false)
    void flags.refresh()
    expect(flags.isOn('dream')).toBe(true)
  })

  test('a change that the provider announces is evaluated at once, for the next turn', async () => {
    const { client, handlers, answer } = slowClient()
    const flags = createFlags({ plugins: dream, live: openFeatureFlags(client) })
    const first = flags.refresh()
    answer(true)
    await first
    const changed = handlers.get('PROVIDER_CONFIGURATION_CHANGED')?.()
    answer(false)
    await changed
    expect(flags.isOn('dream')).toBe(true)
    void flags.refresh()
    expect(flags.isOn('dream')).toBe(false)
  })

  test('an evaluation that was overtaken does not bring an old value back', async () => {
    const { client, waiting } = slowClient()
    const flags = createFlags({ plugins: dream, live: openFeatureFlags(client) })
    const [older, newer] = [flags.refresh(), flags.refresh()]
    waiting[1]?.(false)
    await newer
    waiting[0]?.(true)
    await older
    void flags.refresh()
    expect(flags.isOn('dream')).toBe(false)
  })

  test('a client that rejects changes nothing', async () => {
    const client = { getBooleanDetails: () => Promise.reject(new Error('down')), addHandler: () => {} }
    const flags = createFlags({ plugins: dream, live: openFeatureFlags(client) })
    await flags.refresh()
    expect(flags.isOn('dream')).toBe(true)
  })
})
