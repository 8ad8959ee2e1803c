import type { NacreError, Receipt, SessionEvent } from '@nacre/core'
import { EXIT } from '../exit-codes.js'
import type { OpenedSession } from '../session/opened-session.js'
import type { Denier } from './deny-calls.js'
import { endExitCode } from './end-exit-code.js'
import type { Result } from './schema/result-schema.js'
import { OUTPUT_VERSION } from './schema/version.js'
import { toReceipt } from './to-line.js'
import { usageSince } from './usage-since.js'
import { watchDenials } from './watch-denials.js'

/** Counts what happens in one query. */
export interface Tally {
  event(event: SessionEvent): void
  reported(error: NacreError): void
  /** As things stand now: what is spent after the end counts too. */
  result(): Result
}

export function startTally(opened: OpenedSession, denier: Denier, now: () => number): Tally {
  const { session } = opened
  const before = session.cost()
  const began = now()
  const denied = watchDenials(session, denier)
  const receipts: Receipt[] = []
  const notices: Result['notices'] = opened.notices.map((text) => ({ level: 'info', owner: 'nacre', text }))
  let turns = 0
  let text = ''
  let end: Pick<Result, 'end' | 'error' | 'milliseconds' | 'exitCode'> = NOT_ENDED
  return {
    event(event) {
      if (event.type === 'turn-start') turns = event.turn
      else if (event.type === 'receipt') receipts.push(event.receipt)
      else if (event.type === 'notice') {
        const { level, owner, text: said } = event.notice
        notices.push({ level, owner, text: said })
      } else if (event.type === 'response') {
        text = event.entry.content.map((block) => (block.type === 'text' ? String(block.text) : '')).join('')
      } else if (event.type === 'end') {
        denied.stop()
        const { reason, error } = event
        const exitCode = endExitCode(reason, error)
        end = { end: reason, error: toError(error), milliseconds: now() - began, exitCode }
      }
    },
    reported: ({ message, details }) => {
      notices.push({ level: 'error', owner: details.plugin ?? 'nacre', text: message })
    },
    result: () => ({
      version: OUTPUT_VERSION,
      type: 'result',
      session: session.id,
      ...end,
      result: text,
      turns,
      usage: usageSince(before, session.cost()),
      sessionDollars: session.cost().dollars,
      denials: [...denied.denials],
      receipts: receipts.map(toReceipt),
      notices,
    }),
  }
}

const NOT_ENDED = { end: 'aborted', error: null, milliseconds: 0, exitCode: EXIT.interrupted } as const

/** An error as scripts read it. */
export function toError(error: NacreError | undefined): Result['error'] {
  return error ? { code: error.code, message: error.message, plugin: error.details.plugin } : null
}
