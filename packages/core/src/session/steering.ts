import type { Conversation, NewEntry } from '../conversation/conversation.js'
import type { SteeredMessage, SteeredMessages } from '../loop/agent.js'
import type { SteerOptions } from '../types/child.js'
import type { Block, Entry, Id, Json, StateEntry, UserEntry } from '../types/log.js'
import { statesInView } from '../view/projection.js'

/** The messages that were put into a session from outside. */
export interface Steering extends SteeredMessages {
  add(owner: string, content: string | readonly Block[], options?: SteerOptions): Promise<void>
  /** Is told of every entry that comes into the log. */
  onEntry(entry: Entry): void
}

const PREFIX = 'steer/'
/** The owner of what a session itself was told. */
const OWN = 'core'

type Conversing = Pick<Conversation, 'append' | 'projection'>

export function createSteering(conversation: () => Conversing, newId: () => Id): Steering {
  let known: readonly SteeredMessage[] | undefined
  const state = (owner: string, key: string, value: Json): NewEntry<StateEntry> => ({
    kind: 'state',
    owner,
    key,
    value,
  })
  return {
    async add(owner, content, { mark } = {}) {
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
      const value = { content: blocks as unknown as Json, ...(mark !== undefined && { mark }) }
      await conversation().append(state(owner, PREFIX + newId(), value))
    },
    waiting() {
      known ??= waitingIn(conversation())
      return known
    },
    async settle({ owner, key, isOwn }, content) {
      const said: NewEntry<UserEntry>[] = content ? [{ kind: 'user', content, ...(!isOwn && { isMeta: true }) }] : []
      // In one batch: a crash leaves it either waiting or said.
      await conversation().append(...said, state(owner, key, null))
    },
    onEntry(entry) {
      // A rewind takes back what came in, and what was said of it.
      if (entry.kind === 'edit' || (entry.kind === 'state' && entry.key.startsWith(PREFIX))) known = undefined
    },
  }
}

function waitingIn({ projection }: Conversing): readonly SteeredMessage[] {
  return statesInView(projection).flatMap(({ owner, key, value }): readonly SteeredMessage[] => {
    if (!key.startsWith(PREFIX) || value === null) return []
    const { content } = value as unknown as { readonly content: readonly Block[] }
    return [{ owner, key, content, isOwn: owner === OWN }]
  })
}
