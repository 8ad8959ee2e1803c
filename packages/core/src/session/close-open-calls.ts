import type { Block } from '../log/entry.js'
import type { Conversation } from './conversation.js'

const LOST = 'This call was cut off before its result was kept: it may or may not have run to its end.'

/** Gives each call that was cut off, by a crash or a log that could not be written, a result, so that the conversation can go on. */
export async function closeOpenCalls(conversation: Conversation): Promise<void> {
  const { rounds } = conversation.projection.timeline
  const results = [...(rounds.at(-1)?.open ?? [])].map((id): Block => {
    return { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: LOST }], is_error: true }
  })
  if (results.length > 0) {
    await conversation.append(...results.map((block) => ({ kind: 'user' as const, content: [block] })))
  }
}
