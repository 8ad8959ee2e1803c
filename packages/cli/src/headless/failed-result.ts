import { isNacreError } from '@nacre/core'
import type { ExitCode } from '../exit-codes.js'
import type { Result } from './schema/result-schema.js'
import { OUTPUT_VERSION } from './schema/version.js'
import { toError } from './tally.js'
import { NOTHING_SPENT } from './usage-since.js'

/** What scripts get where no session could be opened. */
export function failedResult(error: unknown, exitCode: ExitCode): Result {
  return {
    version: OUTPUT_VERSION,
    type: 'result',
    session: null,
    end: 'error',
    result: '',
    error: isNacreError(error) ? toError(error) : { code: 'FAILED', message: String((error as Error)?.message) },
    turns: 0,
    milliseconds: 0,
    usage: { ...NOTHING_SPENT },
    sessionDollars: 0,
    denials: [],
    receipts: [],
    notices: [],
    exitCode,
  }
}
