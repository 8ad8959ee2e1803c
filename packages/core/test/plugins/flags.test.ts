import { describe, expect, test } from 'vitest'
import { createFlags, type FlagSources } from '../../src/plugins/flags.js'

const plugins = [{ name: 'compact', flags: { clear: true, snip: false } }, { name: 'dream' }]
const flagsFrom = (sources: Omit<FlagSources, 'plugins'> = {}) => createFlags({ plugins, ...sources })
const stateOf = (name: string, sources: Omit<FlagSources, 'plugins'>) =>
  flagsFrom(sources)
    .list()
    .find((flag) => flag.name === name)

describe('where a value comes from', () => {
  test('every plugin and every part of one is a flag', () => {
    expect(flagsFrom().list()).toEqual([
      { name: 'compact', value: true, from: 'default' },
      { name: 'compact.clear', value: true, from: 'default' },
      { name: 'compact.snip', value: false, from: 'default' },
      { name: 'dream', value: true, from: 'default' },
    ])
  })

  const options = { 'compact.clear': false }
  const settings = { 'compact.clear': true }
  const environment = { NACRE_FLAGS: 'compact.clear=off' }
  const live = { read: (name: string) => (name === 'compact.clear' ? true : undefined) }
  test.each([
    [{}, true, 'default'],
    [{ options }, false, 'options'],
    [{ options, settings }, true, 'settings'],
    [{ options, settings, environment }, false, 'environment'],
    [{ options, settings, environment, live }, true, 'live'],
    [{ settings, options: {} }, true, 'settings'],
    [{ options, environment: {} }, false, 'options'],
    [{ options, live: { read: () => undefined } }, false, 'options'],
    [{ options, live: { read: () => 'on' as never } }, false, 'options'],
  ])('case %#: the highest source that names it wins', (sources, value, from) => {
    expect(stateOf('compact.clear', sources)).toEqual({ name: 'compact.clear', value, from })
    expect(flagsFrom(sources).isOn('compact.clear')).toBe(value)
  })

  test('a live provider is read at each use', () => {
    let isOn = false
    const flags = flagsFrom({ live: { read: () => isOn } })
    expect(flags.isOn('dream')).toBe(false)
    isOn = true
    expect(flags.isOn('dream')).toBe(true)
  })

  test('a live provider is told the flags and the values below it', async () => {
    const told: unknown[] = []
    const refresh = async (known: unknown) => void told.push(known)
    await flagsFrom({ options: { dream: false }, live: { read: () => true, refresh } }).refresh()
    expect(told).toMatchObject([[{ name: 'compact' }, {}, {}, { name: 'dream', value: false }]])
    await flagsFrom().refresh()
  })
})

describe('values', () => {
  test.each([
    ['on', true],
    ['true', true],
    ['1', true],
    [' ON ', true],
    ['off', false],
    ['false', false],
    ['0', false],
  ])('%s is read from the environment as %s', (text, value) => {
    expect(flagsFrom({ environment: { NACRE_FLAGS: ` dream = ${text} , compact.snip=on,` } }).isOn('dream')).toBe(value)
  })

  test('settings may use words and numbers too', () => {
    const flags = flagsFrom({ settings: { dream: 'off', compact: 1 } })
    expect([flags.isOn('dream'), flags.isOn('compact')]).toEqual([false, true])
  })

  test.each([
    [{ environment: { NACRE_FLAGS: 'dream=maybe' } }, "'maybe' in NACRE_FLAGS"],
    [{ environment: { NACRE_FLAGS: 'dream' } }, "'' in NACRE_FLAGS"],
    [{ settings: { dream: {} } }, '{} in the settings'],
    [{ options: { dream: null } }, 'null in the options'],
    [{ options: { dream: undefined } }, 'undefined in the options'],
  ])('a bad value is an error that names it and its source, case %#', (sources, words) => {
    expect(() => flagsFrom(sources)).toThrow(expect.objectContaining({ code: 'INVALID_SETTINGS' }))
    expect(() => flagsFrom(sources)).toThrow(`Flag 'dream' has the value ${words}. Use on, off`)
  })
})

describe('unknown names', () => {
  test.each([
    [{ options: { 'compact.claer': true } }, 'in the options'],
    [{ settings: { 'compact.claer': true } }, 'in the settings'],
    [{ environment: { NACRE_FLAGS: 'compact.claer=off' } }, 'in NACRE_FLAGS'],
  ])('are an error wherever they stand, case %#', (sources, where) => {
    expect(() => flagsFrom(sources)).toThrow(expect.objectContaining({ code: 'UNKNOWN_FLAG' }))
    expect(() => flagsFrom(sources)).toThrow(
      `Unknown flag 'compact.claer' ${where}. Did you mean 'compact.clear'? Known flags: compact, compact.clear, compact.snip, dream.`,
    )
  })

  test('are an error where a flag is read', () => {
    expect(() => flagsFrom().isOn('constructor')).toThrow("Unknown flag 'constructor'. Known flags: compact,")
  })

  test('are explained when there are no flags at all', () => {
    expect(() => createFlags({ plugins: [], options: { dream: true } })).toThrow('No plugin is listed')
  })
})
