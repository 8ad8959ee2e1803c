import {
  type Conversation,
  type ConversationOptions,
  createConversation,
  type Entry,
  type Epoch,
  estimateBlock,
  resolveModel,
  type SessionStore,
} from '@nacre/core'

/** A log that is read again, entry by entry, as it was rendered for a model. Nothing is written. */
type Replay = Pick<Conversation, 'restore' | 'rendering' | 'epoch'>

/** `model`: the one whose requests are meant, since models differ in what they are sent. */
export function startReplay(entries: readonly Entry[], model: string): Replay {
  return createConversation({
    store: NO_STORE,
    rules: rulesOf(model),
    epoch: firstEpoch(entries) ?? { system: [], tools: [] },
    writePrice: () => 0,
    now: () => 0,
    newId: () => '',
  })
}

/** The system and tools that a session began with, where its log has them: one that was imported has none. */
export function firstEpoch(entries: readonly Entry[]): Epoch | undefined {
  const first = entries.find((entry) => entry.kind === 'state' && entry.owner === 'core' && entry.key === 'epoch')
  return first?.kind === 'state' ? (first.value as unknown as { readonly epoch: Epoch }).epoch : undefined
}

function rulesOf(model: string): ConversationOptions['rules'] {
  const { id, thinking, can, kin } = resolveModel(model)
  const erasing = can.has('cache-edits') ? 'deleted' : can.has('context-management') ? 'named' : undefined
  return {
    isBound: thinking === 'bound',
    hasSystemRole: can.has('system-messages'),
    hasToolChanges: can.has('tool-changes'),
    erasing,
    reads: (author) => author === id || kin?.(author).isRead === true,
    estimate: estimateBlock,
  }
}

const refuse = () => Promise.reject(new Error('A replay writes nothing.'))
const NO_STORE: SessionStore = {
  append: refuse,
  put: refuse,
  close: async () => undefined,
  async *read() {},
  async *get() {},
}
