import type { Conversation } from '../conversation/conversation.js'
import { NacreError } from '../errors.js'
import { coreState } from '../log/timeline.js'
import { type Composition, type Compositions, toolsFor } from '../prompt/epoch.js'
import {
  type BlockPlace,
  blockPath,
  erasedIn,
  placeAt,
  placeMarkers,
  type Ttl,
  toMessages,
  toSystem,
} from '../request/markers.js'
import type { RenderedMessage } from '../request/user-turn.js'
import type { Source } from '../types/fork.js'
import type { AssistantEntry, BlockRef, Change, Edit, Entry, Id, Json } from '../types/log.js'
import type { CallFields, Model, ModelEnd, Request } from '../types/model.js'
import type { View } from '../types/view.js'

/** A request as it was sent, with what the bytes alone do not tell. */
export interface Sent {
  readonly request: Request
  readonly model: Model
  readonly messages: readonly RenderedMessage[]
  readonly markers: readonly BlockPlace[]
  readonly composition: Composition
}

/** The requests of a conversation: the next one, and what became of the last. */
export interface Requests {
  /** The next one, with marks that let the one behind it read what this one wrote. */
  build(model: Model, fields: CallFields, nextCut: NextCut): Sent
  /** From here on this is the last request; what edits were accepted since the last answer. */
  sending(sent: Sent): readonly Edit[]
  /** The edits since the last answer. */
  newEdits(): readonly Edit[]
  /** From here on the cache has what the last request marked; that request, unless there is none. */
  answered(end: ModelEnd): Sent | undefined
  /** Is told of every entry that comes into the log. */
  onEntry(entry: Entry): void
  /** The last request that was answered, with its answer: what a fork extends. */
  lastAnswered(): { readonly sent: Sent; readonly entry: AssistantEntry } | undefined
  /** The thinking that the server has left out of the last request; told once. */
  takeDropped(): readonly BlockRef[]
  /** Fields with those that are part of the cache's key as the session first sent them, whatever a hook would like now. */
  freeze(extra: CallFields['extra']): Promise<FrozenFields>
  /** Those fields, once a request has been built. */
  frozenFields(): FrozenFields | undefined
}

/** The block before the first one that the next edit will change, as far as is known. */
type NextCut = (messages: readonly RenderedMessage[]) => BlockPlace | undefined

/** Fields of requests that stay as they were first sent. */
type FrozenFields = { readonly [key: string]: Json }

interface RequestContext {
  readonly conversation: Conversation
  readonly compositions: Compositions
  readonly ttl: Ttl
  /** Who asks, as requests name it. */
  readonly source: Source
  /** Of a fork: what it has in common with others on the same prefix. */
  readonly shared?: SharedPrefix | undefined
  view(): View
}

/** Forks of one conversation differ in what stands behind this. */
export interface SharedPrefix {
  /** The last entry that all of them have, where there is one behind the answer that they extend. */
  readonly end?: Id | undefined
  /** The last marker of the request that they extend. */
  readonly previous: BlockPlace | undefined
}

export function createRequests(context: RequestContext): Requests {
  const { conversation, compositions, ttl, source, shared, view } = context
  /** The end of the last request: where the cache has its longest entry. */
  let previous = shared?.previous
  let isFirst = true
  let last: Sent | undefined
  let lastAnswered: ReturnType<Requests['lastAnswered']>
  let dropped: { readonly sent: Sent; readonly end: ModelEnd } | undefined
  let frozen: FrozenFields | undefined
  let edits: Edit[] = []

  return {
    build(model, fields, nextCut) {
      const { messages, prefix } = conversation.rendering()
      if (messages.length === 0) throw new NacreError('INVALID_REQUEST', 'There is nothing to answer: give a prompt.')
      const composition = compositions.of(conversation.epoch())
      // What is said to this fork alone is never read again: its first request writes what its siblings read.
      const last = isFirst && shared?.end !== undefined ? placeAt(messages, shared.end) : undefined
      const markers = placeMarkers(messages, { last, previous, nextCut: nextCut(messages), ...ends(composition) })
      const tools = toolsFor(model.info, composition.epoch)
      const request: Request = {
        model: model.info.id,
        epoch: { system: toSystem(composition.epoch.system, markers, ttl), tools },
        messages: toMessages(messages, markers, ttl),
        fields: { ...fields, extra: { ...fields.extra, source } },
        prefix,
        ...(conversation.projection.hasErased && { erased: erasedIn(messages) }),
      }
      return { request, model, messages, markers, composition }
    },
    sending(sent) {
      last = sent
      return edits
    },
    newEdits: () => edits,
    answered(end) {
      if (!last) return undefined
      previous = last.markers[0]
      isFirst = false
      edits = []
      dropped = end.thinkingDropped.length > 0 || end.droppedPaths ? { sent: last, end } : undefined
      return last
    },
    onEntry(entry) {
      if (entry.kind === 'edit') {
        edits.push(entry)
        if (entry.changes.some(movesBeginning)) lastAnswered = undefined
      } else if (entry.kind === 'assistant' && last) lastAnswered = { sent: last, entry }
    },
    lastAnswered: () => lastAnswered,
    takeDropped() {
      const refs = dropped ? refsOf(dropped.sent, dropped.end) : []
      dropped = undefined
      return refs
    },
    async freeze(extra = {}) {
      frozen ??= view().state('core', 'latched') as FrozenFields | undefined
      if (!frozen) {
        const first = only(extra, (key) => KEYS.has(key))
        // In the log before it is in force: a resumed session has to send the same.
        await conversation.append(coreState('latched', first))
        frozen = first
      }
      return { ...only(extra, (key) => !KEYS.has(key)), ...frozen }
    },
    frozenFields: () => frozen,
  }
}

/** The last blocks of the static sections and of all of them. */
function ends({ sections }: Composition): { staticEnd: number | undefined; sessionEnd: number | undefined } {
  const end = (index: number) => (index < 0 ? undefined : index)
  return {
    staticEnd: end(sections.findLastIndex(({ scope }) => scope === 'static')),
    sessionEnd: end(sections.length - 1),
  }
}

/** Whether what was sent before is no longer what the conversation goes on from. */
function movesBeginning({ kind }: Change): boolean {
  return kind === 'fold' || kind === 'drop' || kind === 'revert' || kind === 'renew'
}

/** Some servers name blocks, others places in the request. */
function refsOf({ messages }: Sent, { thinkingDropped, droppedPaths = [] }: ModelEnd): readonly BlockRef[] {
  const named = droppedPaths.flatMap((path) => {
    const position = blockPath(path)
    const ref = position && messages[position.message]?.blocks[position.block]?.ref
    return ref ? [ref] : []
  })
  return [...thinkingDropped, ...named]
}

/** Fields that are part of the cache's key without being blocks. */
const KEYS: ReadonlySet<string> = new Set(['betas', 'output_config', 'speed', 'thinking', 'tool_choice'])

function only(fields: FrozenFields, wanted: (key: string) => boolean): FrozenFields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => wanted(key)))
}
