import type { NacreError, SessionEvent } from '@nacre/core'
import type { ExitCode } from '../exit-codes.js'
import type { OpenedSession } from '../session/opened-session.js'
import type { Line } from './schema/line-schema.js'
import type { Result } from './schema/result-schema.js'

/** How a run without a person is told. Each format has one. */
export interface ScriptOutput {
  opened(opened: OpenedSession): void
  event(event: SessionEvent): void
  /** Of what fails without ending a query. */
  reported(error: NacreError): void
  /** A query has ended. `result` counts what was spent up to the moment in which it is called. */
  answered(result: () => Result): void
  /** The session is closed, or could not be opened. */
  ended(end: RunEnd): void
}

type RunEnd = Omit<Extract<Line, { type: 'end' }>, 'version' | 'type' | 'exitCode'> & {
  readonly exitCode: ExitCode
}

/** Where an output writes to. */
export interface OutputStreams {
  readonly stdout: Pick<NodeJS.WritableStream, 'write'>
  readonly stderr: Pick<NodeJS.WritableStream, 'write'>
}
