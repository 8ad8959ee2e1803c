import type { Dispatcher } from '../contract/hooks.js'
import type { CallFields, Model, Request } from '../contract/model.js'
import type { View } from '../contract/view.js'
import { NacreError } from '../nacre-error.js'
import type { Composition } from '../prompt/compose-epoch.js'
import { erasedIn } from '../request/erased-in.js'
import { type BlockPlace, placeMarkers, type Ttl, toMessages, toSystem } from '../request/markers.js'
import type { RenderedMessage } from '../request/rendered.js'
import type { Conversation } from './conversation.js'

export interface RequestParts {
  readonly conversation: Conversation
  readonly hooks: Dispatcher
  readonly source: string
  readonly ttl: Ttl
  view(): View
  /** Who stands behind the system and tool bytes in force. */
  composition(): Composition
  /** The block before the first one that the next edit will change, as far as is known. */
  standing(messages: readonly RenderedMessage[]): BlockPlace | undefined
  /** Fields with those that are part of the cache's key as the session first sent them. */
  latch(extra: CallFields['extra']): Promise<NonNullable<CallFields['extra']>>
  /** Puts what hooks have noted into the log, so that it is in the request. */
  flushNotes(): Promise<void>
}

/** A request as it was sent, with what the bytes alone do not tell. */
export interface Sent {
  readonly request: Request
  readonly model: Model
  readonly messages: readonly RenderedMessage[]
  readonly markers: readonly BlockPlace[]
  readonly composition: Composition
}

export interface Requests {
  build(model: Model, fields: CallFields): Promise<Sent>
  /** From here on the cache has what this request marked. */
  answered(sent: Sent): void
}

/** Makes requests of the view, each with the marks that let the next one read what this one wrote. */
export function createRequests(parts: RequestParts): Requests {
  const { conversation, hooks, ttl } = parts
  /** The end of the last request: where the cache has its longest entry. */
  let previous: BlockPlace | undefined

  return {
    answered({ markers }) {
      previous = markers[0]
    },
    async build(model, asked) {
      const { value: fields } = await hooks.transform('PreModelCall', { view: parts.view(), value: asked })
      const latched = await parts.latch(fields.extra)
      await parts.flushNotes()
      const { messages, prefix } = conversation.rendering()
      if (messages.length === 0) throw new NacreError('INVALID_REQUEST', 'There is nothing to answer: give a prompt.')
      const composition = parts.composition()
      const markers = placeMarkers(messages, {
        previous,
        standing: parts.standing(messages),
        ...ends(composition),
      })
      const { tools } = composition.epoch
      const system = toSystem(composition.epoch.system, markers, ttl)
      const request: Request = {
        model: model.info.id,
        epoch: { system, tools },
        messages: toMessages(messages, markers, ttl),
        fields: { ...fields, extra: { ...latched, source: parts.source } },
        prefix,
        ...(conversation.projection.hasErased && { erased: erasedIn(messages) }),
      }
      return { request, model, messages, markers, composition }
    },
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
