import type { CallFields, Model, Request } from '../contract/model.js'
import type { Block, Json } from '../log/entry.js'
import { callsOf } from '../loop/calls-of.js'
import { toMessages, toSystem } from '../request/markers.js'
import { toJson } from '../request/rendered.js'
import type { Rendering } from '../request/renderer.js'
import type { ForkBase } from './fork-base.js'

const PLACEHOLDER = 'This call is still running in the conversation; its result is not known here.'
/** A fork is short, and what it adds is never read again: no marker beyond those of the request it extends. */
const TTL = '5m'

/** The request that a fork extends, its answer, and what was said in the fork. */
export function forkRequest(base: ForkBase, own: Rendering, source: string, model: Model, fields: CallFields): Request {
  const { epoch } = base.composition
  const [first, ...rest] = toMessages(own.messages, [], TTL) as { role: string; content: Json[] }[]
  return {
    model: model.info.id,
    epoch: { system: toSystem(epoch.system, base.markers, TTL), tools: epoch.tools },
    messages: [
      ...toMessages(base.messages, base.markers, TTL),
      ...(base.response.length > 0 ? toJson([{ role: 'assistant', content: base.response }]) : []),
      ...(first ? [{ ...first, content: [...placeholders(base.response), ...first.content] }] : []),
      ...rest,
    ],
    fields: { ...fields, extra: { ...fields.extra, ...base.extra, source } },
    prefix: own.prefix,
    erased: base.erased,
  }
}

function placeholders(response: readonly Block[]): Json[] {
  return callsOf(response).map(({ id }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: [{ type: 'text', text: PLACEHOLDER }],
  }))
}
