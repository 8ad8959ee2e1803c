import { isNacreError, NacreError } from '@nacre/core'
import { EXIT, type ExitCode } from '../exit-codes.js'

/** One sentence with the three ways on. */
export const NO_MODEL =
  'No model can be reached: set ANTHROPIC_API_KEY, point ANTHROPIC_BASE_URL at a server that speaks the Messages API, or start with --offline for a model that answers by rules.'

export function noModel(): NacreError {
  return new NacreError('AUTH', NO_MODEL)
}

/** How the program ends when a session could not be opened, or a command could not do its work. */
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
