import { type EndReason, type ErrorCode, isNacreError, type SessionEvent } from '@nacre/core'
import { plainLines } from '../text/plain-lines.js'
import type { Line } from '../text/span.js'
import { errorLines } from './error-lines.js'

const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  AUTH: 'Set ANTHROPIC_API_KEY to a key that is valid, and start again with --continue; or try --offline.',
  NETWORK: 'Check the connection. Enter on an empty line tries again.',
  OVERLOADED: 'Enter on an empty line tries again, /model takes another model.',
  RATE_LIMITED: 'Wait a moment. Enter on an empty line tries again.',
  SPEND_CAP: 'Raise the limit of the account, or wait until it begins anew.',
  PROMPT_TOO_LONG: '/compact makes room, /context shows what fills it.',
  REQUEST_TOO_LARGE: '/compact makes room, /context shows what fills it.',
}
const AGAIN = 'Enter on an empty line tries again.'

const ENDS: Readonly<Partial<Record<EndReason, string>>> = {
  aborted: 'Interrupted. Say what to do instead, or press Enter on an empty line to go on.',
  refused: 'The model refused to answer. Say it in another way, or take it back with /rewind.',
  'max-turns': 'The limit of turns is reached. Send a message to go on.',
  budget: 'The limit of dollars is reached. Start with a higher --max-budget to go on.',
}

/** How a query ended, where that is not simply done. */
export function endLines({ reason, error }: Extract<SessionEvent, { type: 'end' }>, width: number): Line[] {
  if (reason === 'done') return []
  if (error && reason !== 'aborted') {
    const advice = isNacreError(error) ? ADVICE[error.code] : undefined
    return errorLines(error, width, advice ?? (reason === 'error' ? AGAIN : undefined))
  }
  return plainLines(ENDS[reason] ?? `It ended: ${reason}.`, width - 1, 'yellow')
}
