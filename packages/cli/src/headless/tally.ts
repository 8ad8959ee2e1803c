import {
  type EndReason,
  isNacreError,
  type NacreError,
  type Receipt,
  type Session,
  type SessionDetails,
  type SessionEvent,
  type Spent,
  type ToolCall,
} from '@nacre/core'
import { suggestRule } from '@nacre/tools'
import type { OpenedSession } from '../session/opened-session.js'
import { plainText } from '../terminal/clean-text.js'
import { exitCodeOf } from '../terminal/error-exit-code.js'
import { EXIT, type ExitCode, type Terminal } from '../terminal/terminal.js'
import { toReceipt } from './output.js'
import { type Denial, OUTPUT_VERSION, type Result } from './output-schema.js'

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
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 0, requests: 0 },
    sessionDollars: 0,
    denials: [],
    receipts: [],
    notices: [],
    exitCode,
  }
}

/** An error as scripts read it. */
function toError(error: NacreError | undefined): Result['error'] {
  return error ? { code: error.code, message: error.message, plugin: error.details.plugin } : null
}

/** What was spent between two looks at the totals of a session. */
export function usageSince(before: Spent, after: Spent): Result['usage'] {
  return {
    input: after.input - before.input,
    output: after.output - before.output,
    cacheRead: after.cacheRead - before.cacheRead,
    cacheWrite5m: after.cacheWrite5m - before.cacheWrite5m,
    cacheWrite1h: after.cacheWrite1h - before.cacheWrite1h,
    // Sums of floats: a difference of nothing must not come out as less than nothing.
    dollars: Math.max(0, after.dollars - before.dollars),
    requests: after.requests - before.requests,
  }
}

const CODES: Readonly<Record<Exclude<EndReason, 'error'>, ExitCode>> = {
  done: EXIT.done,
  aborted: EXIT.interrupted,
  blocked: EXIT.refused,
  refused: EXIT.refused,
  'max-turns': EXIT.limit,
  'max-tokens': EXIT.limit,
  budget: EXIT.limit,
}

/** The exit code for the end of a query; an error has the one that it would have had before the query. */
function endExitCode(reason: EndReason, error?: NacreError): ExitCode {
  return reason === 'error' ? exitCodeOf(error) : CODES[reason]
}

/** Answers questions where nobody is there: no, with a line on how to allow it. */
export interface Denier {
  readonly ask: NonNullable<SessionDetails['ask']>
  /** What would allow a call that was denied. */
  rule(callId: string): string | undefined
}

export function denyCalls({ stderr, cwd }: Pick<Terminal, 'stderr' | 'cwd'>): Denier {
  const rules = new Map<string, string>()
  return {
    async ask(call, reason) {
      const rule = suggestRule(call, cwd)
      const isOutside = asksForOutside(call)
      if (rule !== undefined && !isOutside) rules.set(call.id, rule)
      const way = rule === undefined ? '--permission-mode bypassPermissions' : allowingWay(rule, isOutside)
      const line = `nacre: ${call.name} was not allowed, since nobody is there to ask: ${reason} To allow it: ${way}`
      stderr.write(`${plainText(line).replace(/\s+/g, ' ')}\n`)
      return { unanswered: `${reason} Nobody is there to ask. To allow it: ${way}` }
    },
    rule: (callId) => rules.get(callId),
  }
}

function asksForOutside({ name, input }: ToolCall): boolean {
  return name === 'Bash' && (Object(input) as { readonly access?: unknown }).access === 'outside'
}

/** A rule alone lets nothing out of the sandbox. */
function allowingWay(rule: string, isOutside: boolean): string {
  const pattern = rule.replace(/^Bash\((.*)\)$/s, '$1')
  const settings = isOutside ? `, with "sandbox": ${JSON.stringify({ outside: [pattern] })} in the settings` : ''
  return `--allowed-tools '${rule}'${settings}`
}

/** Collects calls that were kept from running, and who was against them. */
function watchDenials(session: Session, denier: Pick<Denier, 'rule'>): Watch {
  const denials: Denial[] = []
  const stop = session.events.on('tool-end', ({ call: { id, name, input }, denied }) => {
    if (!denied) return
    const { by, reason } = denied
    denials.push({ tool: name, input: (input ?? null) as Denial['input'], by, reason, rule: denier.rule(id) })
  })
  return { denials, stop }
}

interface Watch {
  readonly denials: readonly Denial[]
  stop(): void
}
