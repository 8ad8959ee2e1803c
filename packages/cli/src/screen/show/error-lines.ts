import { isNacreError } from '@nacre/core'
import { plainLines } from '../text/plain-lines.js'
import type { Line } from '../text/span.js'

/** What went wrong and what to do about it. */
export function errorLines(error: unknown, width: number, advice?: string): Line[] {
  const plugin = isNacreError(error) && error.details.plugin ? `${error.details.plugin}: ` : ''
  const message = error instanceof Error ? error.message : String(error)
  return [
    ...plainLines(`✗ ${plugin}${message}`, width - 1, 'red'),
    ...(advice === undefined ? [] : plainLines(`  ${advice}`, width - 1, 'dim')),
  ]
}
