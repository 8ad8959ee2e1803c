import { NacreError } from '../errors.js'
import type { LiveFlags, Plugin } from '../types/plugin.js'

export type FlagOrigin = 'default' | 'options' | 'settings' | 'environment' | 'live'

export interface FlagState {
  readonly name: string
  readonly value: boolean
  readonly from: FlagOrigin
}

/** Where flags come from; each source stands above the ones before it. */
export interface FlagSources {
  readonly plugins: readonly Pick<Plugin, 'name' | 'flags' | 'partOf'>[]
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
    const owner = plugin.partOf ?? plugin.name
    settled.set(owner, { name: owner, value: true, from: 'default' })
    for (const [flag, value] of Object.entries(plugin.flags ?? {})) {
      const name = `${owner}.${flag}`
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

const VALUES: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['true', true],
  ['1', true],
  ['off', false],
  ['false', false],
  ['0', false],
])

/** The flags that one source sets, each checked: a name that nothing has and a value that means nothing are errors. */
function readLayer(
  source: string,
  given: Readonly<Record<string, unknown>> | string,
  known: readonly string[],
): ReadonlyMap<string, boolean> {
  const pairs = typeof given === 'string' ? pairsOf(given) : Object.entries(given)
  return new Map(pairs.map(([name, value]) => [knownFlag(name, known, source), onOrOff(source, name, value)]))
}

/** Returns the name, or throws UNKNOWN_FLAG with the names there are. */
function knownFlag(name: string, known: readonly string[], source?: string): string {
  if (known.includes(name)) return name
  const near = nearest(name, known)
  const where = source ? ` in ${source}` : ''
  const list = known.length > 0 ? `Known flags: ${known.join(', ')}.` : 'No plugin is listed, so there are no flags.'
  throw new NacreError(
    'UNKNOWN_FLAG',
    `Unknown flag '${name}'${where}. ${near ? `Did you mean '${near}'? ` : ''}${list}`,
  )
}

/** `compact.clear=off,dream=on` */
function pairsOf(text: string): readonly (readonly [string, unknown])[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.filter(Boolean).map((part) => {
    const [name = '', ...value] = part.split('=')
    return [name.trim(), value.join('=')]
  })
}

function onOrOff(source: string, name: string, value: unknown): boolean {
  const isOn = VALUES.get(String(value).trim().toLowerCase())
  if (isOn !== undefined) return isOn
  const shown = typeof value === 'string' ? `'${value}'` : (JSON.stringify(value) ?? String(value))
  throw new NacreError(
    'INVALID_SETTINGS',
    `Flag '${name}' has the value ${shown} in ${source}. Use on, off, true, false, 1 or 0.`,
  )
}

/** The known name that is fewest keystrokes away, if that is few enough to be a slip. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase()
  const ranked = known
    .map((candidate) => ({ candidate, distance: distance(wanted, candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= Math.max(2, name.length / 3) ? best.candidate : undefined
}

/** Levenshtein, by rows. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (let column = 0; column < to.length; column++) {
      const replaced = (row[column] as number) + (letter === to[column] ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}
