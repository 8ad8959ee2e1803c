import type { Model } from '../contract/model.js'
import type { Runtime } from './runtime.js'

/** Goes on with another model. What is too much for its window is compacted first, by the one that can read it. */
export async function setModel(runtime: Runtime, model: Model): Promise<void> {
  const { seat, view, relief, status, conversation } = runtime
  const limit = seat.thresholds(model.info).compact.tokens
  if (view().tokens.total > limit) {
    seat.aimFor(model.info)
    conversation.refresh()
    await relief.relieve('high', { signal: status.signal }).finally(() => seat.aimFor(undefined))
  }
  seat.set(model)
  conversation.refresh()
}
