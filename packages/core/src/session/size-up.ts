import { erasedIn } from '../request/erased-in.js'
import { toMessages } from '../request/markers.js'
import type { Runtime } from './runtime.js'

/** Lets the server count where the estimate could decide wrongly: counting is free, a needless fold is not. */
export async function sizeUp(runtime: Runtime): Promise<void> {
  const { seat, conversation, compositions, status, ttl } = runtime
  const model = seat.model()
  if (!model.count) return
  const { messages, prefix } = conversation.rendering()
  const request = {
    model: model.info.id,
    epoch: compositions.of(conversation.epoch()).epoch,
    messages: toMessages(messages, [], ttl),
    fields: { extra: status.latched ?? {} },
    prefix,
    erased: erasedIn(messages),
  }
  // Without an answer the estimate stands: it is all there was before.
  const tokens = await model.count(request, status.signal).catch(() => undefined)
  if (tokens === undefined) return
  // Another version of the same view: who has asked for its size before asks again.
  conversation.touch()
  status.counted = { version: conversation.version(), tokens }
}
