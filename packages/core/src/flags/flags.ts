import type { Plugin } from '../contract/plugin.js'
import type { LiveFlags } from './live-flags.js'
import { knownFlag, readLayer } from './read-layer.js'

export type FlagOrigin = 'default' | 'options' | 'settings' | 'environment' | 'live'

export interface FlagState {
  readonly name: string
  readonly value: boolean
  readonly from: FlagOrigin
}

/** Where flags come from; each source stands above the ones before it. */
export interface FlagSources {
  readonly plugins: readonly Pick<Plugin, 'name' | 'flags'>[]
  readonly options?: Readonly<Record<string, unknown>> | undefined
  readonly settings?: Readonly<Record<string, unknown>> | undefined
  /** Only `NACRE_FLAGS` is looked at. */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined
  readonly live?: LiveFlags | undefined
}

export interface Flags {
  /** To be asked at each use. Throws UNKNOWN_FLAG for a name that no plugin has. */
  isOn(name: string): boolean
  list(): readonly FlagState[]
  /** Lets a live provider look again. Awaited before plugins are set up; at the start of a turn nobody waits for it. */
  refresh(): Promise<void>
}

/** The flags of a list of plugins: `name` for each, and `name.flag` for each of its parts. */
export function createFlags(sources: FlagSources): Flags {
  const settled = new Map<string, FlagState>()
  for (const plugin of sources.plugins) {
    settled.set(plugin.name, { name: plugin.name, value: true, from: 'default' })
    for (const [flag, value] of Object.entries(plugin.flags ?? {})) {
      const name = `${plugin.name}.${flag}`
      settled.set(name, { name, value, from: 'default' })
    }
  }
  const known = [...settled.keys()]
  const layers = [
    ['options', 'the options', sources.options],
    ['settings', 'the settings', sources.settings],
    ['environment', 'NACRE_FLAGS', sources.environment?.NACRE_FLAGS],
  ] as const
  for (const [from, source, given] of layers) {
    for (const [name, value] of readLayer(source, given ?? {}, known)) settled.set(name, { name, value, from })
  }

  const state = (name: string): FlagState => {
    const below = settled.get(knownFlag(name, known)) as FlagState
    const value = sources.live?.read(name)
    // A provider's mistake in mid-session is no reason to fail: what is not a boolean is no opinion.
    return typeof value === 'boolean' ? { name, value, from: 'live' } : below
  }
  return {
    isOn: (name) => state(name).value,
    list: () => known.map(state),
    refresh: async () => sources.live?.refresh?.([...settled.values()]),
  }
}
