import { late } from '../async/late.js'
import type { Model } from '../contract/model.js'
import type { Agent } from '../loop/agent.js'
import { type Answer, callModel } from '../loop/call-model.js'
import type { EarlyCalls } from '../loop/early-calls.js'
import { isNacreError } from '../nacre-error.js'
import { backOff, isPassing } from './backoff.js'

const OVERLOADS_BEFORE_FALLBACK = 3

const boundThinking = late(() => import('./drop-bound-thinking.js'))

/** What all requests of a turn share: a model that stands in does so until the turn ends, and no call runs twice. */
export interface Turn {
  model: Model
  /** Whether the model may write as much as it can. */
  isRaised: boolean
  readonly early: EarlyCalls
}

/**
 * Asks the model until it has answered: again after what passes by itself, on a smaller view after an overflow, on
 * another model when this one stays overloaded. What can't be helped is thrown, and nothing of it is kept.
 */
export async function askUntilAnswered(agent: Agent, turn: Turn): Promise<Answer> {
  let overloads = 0
  let isThinkingDropped = false
  for (let attempt = 1; ; ) {
    try {
      const fields = turn.isRaised ? { maxTokens: turn.model.info.maxOutput } : {}
      return await callModel(agent, turn.model, fields, agent.signal, turn.early.consider)
    } catch (error) {
      turn.early.breakOff()
      agent.signal.throwIfAborted()
      if (isNacreError(error, 'PROMPT_TOO_LONG') || isNacreError(error, 'REQUEST_TOO_LARGE')) {
        agent.emit({ type: 'recovery', kind: 'overflow', attempt, reason: error.message })
        if (!(await agent.relieve('overflow', error))) throw error
        continue
      }
      if (isNacreError(error, 'BOUND_THINKING') && !isThinkingDropped) {
        isThinkingDropped = true
        const { dropBoundThinking } = await boundThinking()
        await dropBoundThinking(agent, error)
        continue
      }
      if (!isPassing(error)) throw error
      overloads += error.code === 'OVERLOADED' ? 1 : 0
      const other = overloads >= OVERLOADS_BEFORE_FALLBACK ? agent.fallBack() : undefined
      if (other && other !== turn.model) {
        agent.emit({ type: 'recovery', kind: 'fallback', attempt, reason: `${turn.model.info.id} stays overloaded` })
        turn.model = other
        attempt = 1
      } else if (!(await backOff(agent, error, attempt++))) throw error
    }
  }
}
