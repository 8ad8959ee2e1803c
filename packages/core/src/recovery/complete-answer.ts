import type { CallFields } from '../contract/model.js'
import type { AssistantEntry, Block } from '../log/entry.js'
import type { Agent } from '../loop/agent.js'
import { NacreError } from '../nacre-error.js'
import { type Asked, askUntilAnswered } from './ask-until-answered.js'

const CONTINUATIONS = 3
const CONTINUE = 'Your answer was cut at the output limit. Go on from where it ended, in smaller pieces.'
const EMPTY = 'Please continue.'

export interface Completed extends Asked {
  readonly logged: AssistantEntry
}

/** An answer that came to its end: cut ones are asked for again or gone on with, paused ones resumed, empty ones nudged. */
export async function completeAnswer(agent: Agent): Promise<Completed> {
  let fields: CallFields = {}
  let cuts = 0
  let isNudged = false
  for (;;) {
    const asked = await askUntilAnswered(agent, fields)
    const { stop, content } = asked.entry
    if (stop === 'max_tokens' && cuts === 0 && fields.maxTokens === undefined) {
      fields = { maxTokens: agent.model().info.maxOutput }
      cuts += 1
      agent.emit({
        type: 'recovery',
        kind: 'raise-output',
        attempt: cuts,
        reason: 'The answer was cut at the output limit.',
      })
      continue
    }
    if (stop === 'model_context_window_exceeded') {
      agent.emit({ type: 'recovery', kind: 'overflow', attempt: 1, reason: 'The answer filled the window.' })
      if (await agent.relieve('overflow')) continue
      throw new NacreError('PROMPT_TOO_LONG', 'The answer does not fit into what is left of the window.')
    }
    const logged = await log(agent, {
      ...asked.entry,
      content: stop === 'max_tokens' ? withoutCalls(content) : content,
    })
    if (stop === 'max_tokens' && cuts <= CONTINUATIONS) {
      cuts += 1
      agent.emit({ type: 'recovery', kind: 'continue-output', attempt: cuts - 1, reason: CONTINUE })
      await say(agent, CONTINUE)
    } else if (stop === 'pause_turn') {
      agent.emit({ type: 'recovery', kind: 'resume-pause', attempt: 1, reason: 'The server paused its turn.' })
    } else if (stop === 'end_turn' && isEmpty(content) && !isNudged) {
      isNudged = true
      agent.emit({ type: 'recovery', kind: 'empty-answer', attempt: 1, reason: 'The answer was empty.' })
      await say(agent, EMPTY)
    } else return { ...asked, logged }
  }
}

async function log(agent: Agent, entry: Asked['entry']): Promise<AssistantEntry> {
  const [logged] = await agent.conversation.append(entry)
  agent.emit({ type: 'response', entry: logged as AssistantEntry })
  return logged as AssistantEntry
}

async function say(agent: Agent, text: string): Promise<void> {
  await agent.conversation.append({ kind: 'user', content: [{ type: 'text', text }], isMeta: true })
}

/** A call that was cut is no call: its input is half. */
function withoutCalls(content: readonly Block[]): readonly Block[] {
  return content.filter((block) => block.type !== 'tool_use')
}

function isEmpty(content: readonly Block[]): boolean {
  return content.every((block) => block.type === 'thinking' || block.type === 'redacted_thinking')
}
