import { isNacreError } from '@nacre/core'
import { EXIT, type ExitCode } from './terminal.js'

/**
 * How the program ends when a session could not be opened, or a command could not do its work. It stands apart from the
 * codes because it needs core, which no start waits for.
 */
export function exitCodeOf(error: unknown): ExitCode {
  if (isNacreError(error, 'AUTH')) return EXIT.noModel
  if (isNacreError(error, 'ABORTED')) return EXIT.interrupted
  const isUsage = isNacreError(error) && USAGE.has(error.code)
  return isUsage ? EXIT.usage : EXIT.failed
}

const USAGE: ReadonlySet<string> = new Set([
  'DUPLICATE_PLUGIN',
  'INVALID_SETTINGS',
  'MISSING_PLUGIN',
  'NOT_FOUND',
  'SESSION_NOT_FOUND',
  'UNKNOWN_FLAG',
  'UNKNOWN_MODEL',
])
