import type { EndReason, NacreError } from '@nacre/core'
import { EXIT, type ExitCode } from '../exit-codes.js'
import { exitCodeOf } from '../session/no-model.js'

const CODES: Readonly<Record<Exclude<EndReason, 'error'>, ExitCode>> = {
  done: EXIT.done,
  aborted: EXIT.interrupted,
  blocked: EXIT.refused,
  refused: EXIT.refused,
  'max-turns': EXIT.limit,
  budget: EXIT.limit,
}

/** The exit code for the end of a query; an error has the one that it would have had before the query. */
export function endExitCode(reason: EndReason, error?: NacreError): ExitCode {
  return reason === 'error' ? exitCodeOf(error) : CODES[reason]
}
