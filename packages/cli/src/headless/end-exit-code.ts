import type { EndReason } from '@nacre/core'
import { EXIT, type ExitCode } from '../exit-codes.js'

const CODES: Readonly<Record<EndReason, ExitCode>> = {
  done: EXIT.done,
  aborted: EXIT.interrupted,
  blocked: EXIT.refused,
  refused: EXIT.refused,
  'max-turns': EXIT.limit,
  budget: EXIT.limit,
  error: EXIT.failed,
}

/** The exit code for the end of a query. */
export function endExitCode(reason: EndReason): ExitCode {
  return CODES[reason]
}
