import { NacreError } from '../nacre-error.js'
import { nearest } from './nearest.js'

const VALUES: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['true', true],
  ['1', true],
  ['off', false],
  ['false', false],
  ['0', false],
])

/** The flags that one source sets, each checked: a name that nothing has and a value that means nothing are errors. */
export function readLayer(
  source: string,
  given: Readonly<Record<string, unknown>> | string,
  known: readonly string[],
): ReadonlyMap<string, boolean> {
  const pairs = typeof given === 'string' ? pairsOf(given) : Object.entries(given)
  return new Map(pairs.map(([name, value]) => [knownFlag(name, known, source), onOrOff(source, name, value)]))
}

/** Returns the name, or throws UNKNOWN_FLAG with the names there are. */
export function knownFlag(name: string, known: readonly string[], source?: string): string {
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
