import type { AssistantEntry, ChildSession, SessionEvent, Timer } from '@nacre/core'
import type { AgentLimits } from '../settings/settings.js'

/** What came of an agent's work. */
export interface Outcome {
  readonly state: 'done' | 'failed' | 'stopped'
  readonly reason?: string
  /** Its last words, whatever became of it. */
  readonly said: string
}

/** Why an agent is stopped, as its result will say. */
export interface Stop {
  readonly stopAs: 'failed' | 'stopped'
  readonly reason: string
}

function isStop(value: unknown): value is Stop {
  return typeof value === 'object' && value !== null && 'stopAs' in value
}

export interface RunOptions {
  readonly limits: AgentLimits
  readonly timer: Timer
  /** Its reason is a `Stop`, or whatever stopped the query of the parent. */
  readonly signal: AbortSignal
  /** When it ends by the clock. */
  readonly left: number
}

/** How long an agent that was told to stop may take to do so before it is left behind. */
const GRACE = 500

/**
 * Works on a prompt, or on messages that wait, until the agent has finished, or until its limits end it: they are watched from outside, so that
 * neither a tool that hangs nor a model that goes on for ever gets past them. Never rejects.
 */
export async function runAgent(child: ChildSession, prompt: string | undefined, options: RunOptions): Promise<Outcome> {
  const { limits, timer, signal, left } = options
  const own = new AbortController()
  const stop = (reason: unknown) => own.abort(reason)
  const parentStops = () => stop(signal.reason)
  signal.addEventListener('abort', parentStops, { once: true })
  if (signal.aborted) parentStops()
  const cancel = timer(left, () =>
    stop({ stopAs: 'failed', reason: `its deadline of ${duration(limits.deadline)} has passed` }),
  )
  const progress: Progress = { said: '', turns: 0, tokens: 0 }
  try {
    const work = follow(child, prompt, own.signal, progress, (event) => check(child, event, limits, progress, stop))
    const end = await Promise.race([work, leftBehind(own.signal, timer)])
    return outcomeOf(end, own.signal, progress, limits)
  } catch (error) {
    return { state: 'failed', reason: messageOf(error), said: progress.said }
  } finally {
    cancel()
    signal.removeEventListener('abort', parentStops)
  }
}

interface Progress {
  said: string
  turns: number
  tokens: number
}

type End = Extract<SessionEvent, { readonly type: 'end' }>

async function follow(
  child: ChildSession,
  prompt: string | undefined,
  signal: AbortSignal,
  progress: Progress,
  heard: (event: SessionEvent) => void,
): Promise<End | undefined> {
  let end: End | undefined
  for await (const event of child.query(prompt, { signal })) {
    if (event.type === 'response') progress.said = textOf(event.entry) || progress.said
    if (event.type === 'end') end = event
    heard(event)
  }
  return end
}

function check(
  child: ChildSession,
  event: SessionEvent,
  limits: AgentLimits,
  progress: Progress,
  stop: (why: Stop) => void,
): void {
  if (event.type === 'turn-start') progress.turns += 1
  if (event.type !== 'usage') return
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = event.usage
  progress.tokens += input + output + cacheRead + cacheWrite5m + cacheWrite1h
  if (progress.tokens > limits.tokens) {
    stop({ stopAs: 'failed', reason: `it went over its limit of ${limits.tokens} tokens` })
  }
  if (child.spent().dollars > limits.dollars) {
    stop({ stopAs: 'failed', reason: `it went over its limit of $${limits.dollars}` })
  }
}

/** Resolves a moment after the stop: what does not listen to it is not waited for. */
function leftBehind(signal: AbortSignal, timer: Timer): Promise<undefined> {
  return new Promise((resolve) => {
    const wait = () => void timer(GRACE, () => resolve(undefined))
    if (signal.aborted) wait()
    else signal.addEventListener('abort', wait, { once: true })
  })
}

function outcomeOf(end: End | undefined, signal: AbortSignal, { said }: Progress, { turns }: AgentLimits): Outcome {
  if (signal.aborted) {
    const { reason } = signal as { readonly reason: unknown }
    if (isStop(reason)) return { state: reason.stopAs, reason: reason.reason, said }
    return { state: 'stopped', reason: 'the work that it was part of was interrupted', said }
  }
  switch (end?.reason) {
    case 'done':
      return { state: 'done', said }
    case 'max-turns':
      return { state: 'failed', reason: `it reached its limit of ${turns} turns`, said }
    case 'max-tokens':
      return { state: 'failed', reason: 'its last answer was cut at the output limit of the model', said }
    case 'budget':
      return { state: 'failed', reason: 'the budget of the whole session is spent', said }
    case 'refused':
      return { state: 'failed', reason: 'the model refused the task', said }
    case 'blocked':
      return { state: 'failed', reason: `its task was blocked: ${messageOf(end.error)}`, said }
    default:
      return { state: 'failed', reason: messageOf(end?.error), said }
  }
}

/** The texts of an answer. */
export function textOf({ content }: Pick<AssistantEntry, 'content'>): string {
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('\n\n')
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error ?? 'it ended without a word')
}

export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 120) return milliseconds < 1000 ? `${milliseconds} ms` : `${seconds} s`
  return seconds % 60 === 0 || seconds > 3600
    ? `${Math.round(seconds / 60)} min`
    : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
