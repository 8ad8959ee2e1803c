import type { Change } from '../log/edit.js'
import type { Agent } from '../loop/agent.js'
import type { NacreError } from '../nacre-error.js'
import { isThinking } from '../request/renderer.js'

/** Takes all thinking out of the view by an edit: the API said that some of it does not fit where it stands. */
export async function dropBoundThinking(agent: Agent, error: NacreError): Promise<void> {
  agent.emit({ type: 'recovery', kind: 'drop-thinking', attempt: 1, reason: error.message })
  const changes = agent.conversation.rendering().messages.flatMap(({ blocks }) =>
    blocks.flatMap(({ block, ref }): Change[] => {
      return ref && isThinking(block) ? [{ kind: 'replace', target: ref, content: [] }] : []
    }),
  )
  if (changes.length)
    await agent.conversation.edit({ owner: 'core', reason: 'thinking bound to another prefix', changes })
}
