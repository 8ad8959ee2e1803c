import type { AssistantEntry, Block } from '../log/entry.js'
import type { Agent } from '../loop/agent.js'
import type { Answer } from '../loop/call-model.js'
import { callsOf } from '../loop/calls-of.js'
import { type EarlyCalls, earlyCalls } from '../loop/early-calls.js'
import type { RecoveryKind } from '../loop/events.js'
import { NacreError } from '../nacre-error.js'
import { askUntilAnswered, type Turn } from './ask-until-answered.js'

const CONTINUATIONS = 3
const RESUMES = 25
const CONTINUE = 'Your answer was cut at the output limit. Go on from where it ended, in smaller pieces.'
const EMPTY = 'Please continue.'

export interface Completed {
  readonly logged: AssistantEntry
  readonly early: EarlyCalls
}

/** An answer that came to its end: cut ones are asked for again or gone on with, paused ones resumed, empty ones nudged. */
export async function completeAnswer(agent: Agent): Promise<Completed> {
  const turn: Turn = { model: agent.model(), isRaised: false, early: earlyCalls(agent) }
  const done = { continuations: 0, resumes: 0, nudges: 0 }
  for (;;) {
    const { entry } = await askUntilAnswered(agent, turn)
    if (await isToBeAskedAgain(agent, turn, entry.stop)) {
      turn.early.breakOff()
      continue
    }
    const isCut = entry.stop === 'max_tokens'
    // A call that was cut is no call: its input is half.
    const content = isCut ? entry.content.filter(({ type }) => type !== 'tool_use') : entry.content
    const [kind, say] = goingOn(entry.stop, content, done)
    const logged = await log(agent, { ...entry, content }, say)
    if (!kind) return { logged, early: turn.early }
    if (isCut) turn.early.breakOff()
    tell(agent, kind, done.continuations || 1, say ?? 'The server paused its turn.')
  }
}

/** An answer that is worth nothing as it is: the next one gets more room to write, or a smaller view. */
async function isToBeAskedAgain(agent: Agent, turn: Turn, stop: string): Promise<boolean> {
  if (stop === 'max_tokens' && !turn.isRaised) {
    turn.isRaised = true
    tell(agent, 'raise-output', 1, 'The answer was cut at the output limit.')
    return true
  }
  if (stop !== 'model_context_window_exceeded') return false
  tell(agent, 'overflow', 1, 'The answer filled the window.')
  if (await agent.relieve('overflow')) return true
  throw new NacreError('PROMPT_TOO_LONG', 'The answer does not fit into what is left of the window.')
}

/** How to go on from an answer that is no end, and what is said to the model for it; so often and no more. */
function goingOn(
  stop: string,
  content: readonly Block[],
  done: { continuations: number; resumes: number; nudges: number },
): [kind?: RecoveryKind, say?: string] {
  if (stop === 'max_tokens' && done.continuations++ < CONTINUATIONS) return ['continue-output', CONTINUE]
  const isPaused = stop === 'pause_turn' && callsOf(content).length === 0
  if (isPaused && done.resumes++ < RESUMES) return ['resume-pause']
  const isEmpty = content.every(({ type }) => type === 'thinking' || type === 'redacted_thinking')
  if (stop === 'end_turn' && isEmpty && done.nudges++ < 1) return ['empty-answer', EMPTY]
  return []
}

/** Keeps an answer, in one batch with what is said about it: no crash leaves one that nobody goes on from. */
async function log(agent: Agent, entry: Answer['entry'], say: string | undefined): Promise<AssistantEntry> {
  const nudge = { kind: 'user' as const, content: [{ type: 'text', text: say }], isMeta: true as const }
  const [logged] = await agent.conversation.append(entry, ...(say === undefined ? [] : [nudge]))
  agent.emit({ type: 'response', entry: logged as AssistantEntry })
  return logged as AssistantEntry
}

function tell(agent: Agent, kind: RecoveryKind, attempt: number, reason: string): void {
  agent.emit({ type: 'recovery', kind, attempt, reason })
}
