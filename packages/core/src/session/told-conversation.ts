import type { Edit } from '../log/edit.js'
import type { Conversation } from './conversation.js'

/** A conversation that tells of every edit that was accepted. Relief tells of its own, with what goes with them. */
export function toldConversation(conversation: Conversation, tell: (edit: Edit) => Promise<unknown>): Conversation {
  return {
    ...conversation,
    get projection() {
      return conversation.projection
    },
    async appendEdited(draft, edits) {
      const accepted = await conversation.appendEdited(draft, edits)
      for (const edit of accepted) await tell(edit)
      return accepted
    },
    async edit(proposal, details) {
      const done = await conversation.edit(proposal, details)
      if (!('refused' in done)) await tell(done)
      return done
    },
  }
}
