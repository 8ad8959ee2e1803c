import { type Block, estimateBlock } from '@nacre/core'
import { whole } from './one-line.js'

/** Strings above it are shortened to this many characters. */
const LONG = 800
const HEAD = 160

/** The same call with its long strings cut to their beginnings; `undefined` where it has none. `place` is where the full text is. */
export function shortenInput(call: Block, place: string | undefined): Block | undefined {
  if (!hasLong(call.input)) return undefined
  const rest = place === undefined ? 'cleared' : `cleared, full text: ${place}`
  const input = shortened(call.input, (cut) => ` [… ${cut} more characters were written here; ${rest}]`)
  const shorter = { ...call, input }
  return estimateBlock(shorter) < estimateBlock(call) ? shorter : undefined
}

/** Estimated tokens that shortening would free. */
export function longInputTokens(call: Block): number {
  const shorter = shortenInput(call, 'Recall entry 00000000-0000-0000-0000-000000000000')
  return shorter ? estimateBlock(call) - estimateBlock(shorter) : 0
}

function hasLong(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONG
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLong)
}

function shortened(value: unknown, note: (cut: number) => string): unknown {
  if (typeof value === 'string') {
    const head = whole(value.slice(0, HEAD))
    return value.length > LONG ? head + note(value.length - head.length) : value
  }
  if (Array.isArray(value)) return value.map((each) => shortened(each, note))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shortened(each, note)]))
}
