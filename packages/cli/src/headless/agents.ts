import type { Team } from '@nacre/agents'
import type { Block, Session, SessionEvent } from '@nacre/core'
import type { OpenedSession } from '../session/opened-session.js'

/** How long agents in the background are waited for, in seconds. */
const SECONDS = 600
/** How often the model is asked again because something came in: a message that brings another must not go on for ever. */
const ROUNDS = 50

interface Waiting {
  readonly signal: AbortSignal
  now(): number
}

type End = Extract<SessionEvent, { readonly type: 'end' }>

/**
 * Works on a prompt, then waits for agents in the background and lets the model read what they left, until none runs any
 * more or the time is over. All of it is told as one query; `left` says in words who was still at work.
 */
export async function queryWithAgents(
  opened: OpenedSession,
  prompt: string | readonly Block[],
  { signal, now }: Waiting,
  tell: (event: SessionEvent) => void,
): Promise<{ readonly left?: string }> {
  const { session, settings } = opened
  const seconds = settings.agents?.waitSeconds ?? SECONDS
  const until = now() + seconds * 1_000
  let turns = 0
  const ask = async (asked?: string | readonly Block[]): Promise<End | undefined> => {
    const before = turns
    let end: End | undefined
    for await (const event of session.query(asked, { signal })) {
      if (event.type === 'end') end = event
      else if (event.type === 'turn-start') {
        turns = before + event.turn
        tell({ ...event, turn: turns })
      } else tell(event)
    }
    return end
  }
  let end = await ask(prompt)
  for (let round = 0; round < ROUNDS && end?.reason === 'done' && seconds > 0; round++) {
    if (!(await comesIn(session, opened.team(), until - now(), signal))) break
    end = await ask()
  }
  if (end) tell(end)
  const running = (opened.team()?.agents() ?? []).filter(({ state }) => state === 'running')
  if (running.length === 0) return {}
  const names = running.map(({ name, task }) => `${name} (${task})`).join(', ')
  const again = `nacre -p --resume ${session.id} "Go on with them"`
  return { left: `Still at work after ${seconds} s, and stopped: ${names}. They can be set to work again: ${again}` }
}

/** Whether something came in that the model has to hear, before the time is over or nobody works any more. */
function comesIn(session: Session, team: Team | undefined, left: number, signal: AbortSignal): Promise<boolean> {
  if (session.isSteered()) return Promise.resolve(true)
  if (!team || left <= 0) return Promise.resolve(false)
  return new Promise((resolve) => {
    const done = (isHeard: boolean) => {
      clearTimeout(timer)
      stop()
      signal.removeEventListener('abort', aborted)
      resolve(isHeard)
    }
    const aborted = () => done(false)
    const look = () => {
      if (session.isSteered()) done(true)
      else if (!team.agents().some(({ state }) => state === 'running')) done(false)
    }
    const timer = setTimeout(() => done(false), left)
    const stop = team.onChange(look)
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    else look()
  })
}
