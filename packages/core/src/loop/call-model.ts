import type { CallFields, Model, ModelEnd, Request } from '../contract/model.js'
import type { AssistantEntry, Block, Usage } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'
import type { Draft } from '../session/conversation.js'
import type { Agent } from './agent.js'

/** A whole answer. Nothing of a broken one is ever kept. */
export interface Answer {
  readonly entry: Draft<AssistantEntry>
}

/** Asks the model once and reads its answer to the end. `block` hears of each block as it is finished. */
export async function callModel(
  agent: Agent,
  model: Model,
  fields: CallFields,
  signal: AbortSignal,
  block: (block: Block) => void,
): Promise<Answer> {
  const request: Request = await agent.request(model, fields)
  const content: Block[] = []
  let messageId = ''
  let end: ModelEnd | undefined
  let begun: Usage | undefined
  try {
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'start') begun = event.usage
      // Much of an answer may have arrived when it is stopped. Only one that is whole is worth keeping.
      if (event.type !== 'end') signal.throwIfAborted()
      if (event.type === 'start') messageId = event.messageId
      else if (event.type === 'delta') agent.emit(event)
      else if (event.type === 'end') end = event
      else {
        content[event.index] = event.block
        block(event.block)
      }
    }
    if (!end) throw new NacreError('STREAM_CUT', 'The answer broke off before its end.')
  } catch (error) {
    if (begun) agent.brokenOff(model, begun)
    throw error
  }
  agent.answered(request, model, end)
  const { stop, usage } = end
  const entry = {
    kind: 'assistant' as const,
    // Places of blocks that the adapter has left out are no holes in the log.
    content: content.filter((each) => each !== undefined),
    model: model.info.id,
    messageId,
    usage,
    stop,
    prefix: request.prefix,
  }
  return { entry }
}
