import type { CallFields, Model } from '../contract/model.js'
import type { Agent } from '../loop/agent.js'
import { type Answer, callModel } from '../loop/call-model.js'
import { type EarlyCalls, earlyCalls } from '../loop/early-calls.js'
import { isNacreError } from '../nacre-error.js'
import { backOff, isPassing } from './backoff.js'
import { dropBoundThinking } from './drop-bound-thinking.js'

const OVERLOADS_BEFORE_FALLBACK = 3

export interface Asked extends Answer {
  readonly early: EarlyCalls
}

/**
 * Asks the model until it has answered: again after what passes by itself, on a smaller view after an overflow, on
 * another model when this one stays overloaded. What can't be helped is thrown, and nothing of it is kept.
 */
export async function askUntilAnswered(agent: Agent, fields: CallFields): Promise<Asked> {
  let model: Model = agent.model()
  let overloads = 0
  let isThinkingDropped = false
  const early = earlyCalls(agent)
  for (let attempt = 1; ; ) {
    try {
      return { ...(await callModel(agent, model, fields, agent.signal, early.consider)), early }
    } catch (error) {
      early.breakOff()
      agent.signal.throwIfAborted()
      if (isNacreError(error, 'PROMPT_TOO_LONG') || isNacreError(error, 'REQUEST_TOO_LARGE')) {
        agent.emit({ type: 'recovery', kind: 'overflow', attempt, reason: error.message })
        if (!(await agent.relieve('overflow', error))) throw error
        continue
      }
      if (isNacreError(error, 'BOUND_THINKING') && !isThinkingDropped) {
        isThinkingDropped = true
        await dropBoundThinking(agent, error)
        continue
      }
      if (!isPassing(error)) throw error
      overloads += error.code === 'OVERLOADED' ? 1 : 0
      const other = overloads >= OVERLOADS_BEFORE_FALLBACK ? agent.fallBack() : undefined
      if (other && other !== model) {
        agent.emit({ type: 'recovery', kind: 'fallback', attempt, reason: `${model.info.id} stays overloaded` })
        model = other
        attempt = 1
      } else if (!(await backOff(agent, error, attempt++))) throw error
    }
  }
}
