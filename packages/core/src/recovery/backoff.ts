import type { Agent } from '../loop/agent.js'
import { isNacreError, type NacreError } from '../nacre-error.js'

const FIRST = 500
const LONGEST = 32_000
const TRIES = 8

const PASSING = new Set(['OVERLOADED', 'RATE_LIMITED', 'SERVER', 'NETWORK', 'STREAM_CUT'])

/** Whether the same request may succeed later. A spend cap will not. */
export function isPassing(error: unknown): error is NacreError {
  return isNacreError(error) && PASSING.has(error.code)
}

/** Waits before another try; `false` when there have been enough. */
export async function backOff(agent: Agent, error: NacreError, attempt: number): Promise<boolean> {
  if (attempt > TRIES) return false
  agent.emit({ type: 'recovery', kind: 'retry', attempt, reason: error.message })
  const own = Math.min(LONGEST, FIRST * 2 ** (attempt - 1)) * (1 - agent.random() / 4)
  await agent.wait(error.details.retryAfter === undefined ? own : error.details.retryAfter * 1000)
  return true
}
