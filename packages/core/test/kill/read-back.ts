import { expect } from 'vitest'
import { anthropicModel } from '../../src/anthropic/index.js'
import { type Conversation, createConversation } from '../../src/conversation/conversation.js'
import { coreStateIn } from '../../src/log/timeline.js'
import { createCurrentModel } from '../../src/session/current-model.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { Block, Entry, Id } from '../../src/types/log.js'
import type { Store } from '../../src/types/store.js'
import { illegalities, type PlainMessage } from '../view/oracle.js'

const never = new AbortController().signal

/** A log as another process left it, with all that could have been sent on its way. */
export interface ReadBack {
  entries(): readonly Entry[]
  /** What a request says when the log had come this far, for each entry of it. */
  renderings(): readonly string[]
  /** The results of calls, by call. */
  results(): ReadonlyMap<string, Block>
  /** Reads on, after another process has been at work. */
  update(): Promise<void>
}

export function readBack(store: Store, id: Id): ReadBack {
  let entries: readonly Entry[] = []
  const renderings: string[] = []
  let conversation: Conversation | undefined
  return {
    entries: () => entries,
    renderings: () => renderings,
    results: () => resultsIn(entries),
    async update() {
      const now = await entriesOf(store, id, entries[0]?.id)
      // What was in the log stays in it, as it was.
      expect(now.slice(0, entries.length)).toEqual(entries)
      for (const entry of now.slice(entries.length)) {
        conversation ??= await emptyConversation(entry)
        conversation.restore(entry)
        const messages = plain(conversation)
        renderings.push(JSON.stringify(messages))
      }
      entries = now
    },
  }
}

/** All of them: without the first one it would be those from the last checkpoint on. */
async function entriesOf(store: Store, id: Id, first: Id | undefined): Promise<Entry[]> {
  const session = await store.open(id, never)
  const entries: Entry[] = []
  for await (const entry of session.read(first)) entries.push(entry)
  await session.close()
  return entries
}

async function emptyConversation(first: Entry): Promise<Conversation> {
  const { rules } = createCurrentModel(anthropicModel({ model: 'claude-opus-5-5', apiKey: 'none' }), {})
  const { epoch } = coreStateIn(first, 'epoch') as never
  const store = await memoryStore().open('read back', never)
  return createConversation({ store, rules, epoch, writePrice: () => 0, now: () => 0, newId: () => '' })
}

function plain(conversation: Conversation): PlainMessage[] {
  return conversation.rendering().messages.map(({ role, blocks }) => ({
    role,
    content: blocks.map(({ block }) => block),
  }))
}

function resultsIn(entries: readonly Entry[]): ReadonlyMap<string, Block> {
  const blocks = entries.flatMap((entry) => (entry.kind === 'user' ? entry.content : []))
  return new Map(
    blocks.filter(({ type }) => type === 'tool_result').map((block) => [block.tool_use_id as string, block]),
  )
}

/** Whether the result of a call says that the call was cut off. */
export function isLost(result: Block | undefined): boolean {
  return JSON.stringify(result ?? '').includes('was cut off')
}

/** The messages of a request as text, without marks. */
export function messagesOf(body: string): { readonly text: string; readonly messages: readonly PlainMessage[] } {
  const { messages } = JSON.parse(body, (key, value) => (key === 'cache_control' ? undefined : value)) as {
    messages: PlainMessage[]
  }
  expect(illegalities(messages)).toEqual([])
  return { text: JSON.stringify(messages), messages }
}
