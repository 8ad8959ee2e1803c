import { toMessages } from '../request/markers.js'
import type { Runtime } from './runtime.js'

/** How near to the threshold a guess is not good enough, and how much of it has to be one. */
const NEAR = 0.1
const GUESSED = 0.02

/** Lets the server count where the estimate could decide wrongly: counting is free, a needless fold is not. */
export async function sizeUp(runtime: Runtime): Promise<void> {
  const { view, seat, conversation, compositions, status, ttl } = runtime
  const model = seat.model()
  const { total, estimated, threshold } = view().tokens
  const isNear = Math.abs(total - threshold) < threshold * NEAR
  if (!model.count || !isNear || estimated < threshold * GUESSED) return
  const { messages, prefix } = conversation.rendering()
  const request = {
    model: model.info.id,
    epoch: compositions.of(conversation.epoch()).epoch,
    messages: toMessages(messages, [], ttl),
    fields: { extra: status.latched ?? {} },
    prefix,
  }
  // Without an answer the estimate stands: it is all there was before.
  const tokens = await model.count(request, status.signal).catch(() => undefined)
  if (tokens === undefined) return
  // Another version of the same view: who has asked for its size before asks again.
  conversation.touch()
  status.counted = { version: conversation.version(), tokens }
}
