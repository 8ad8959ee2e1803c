import type { PromptPart } from '../prompt/effective-parts.js'
import type { ModelTurn } from '../replies/model.js'
import type { CheckedRequest } from '../validate/check-request.js'
import { thinks } from '../validate/check-settings.js'
import type { Block, Message } from '../wire.js'
import type { AnswerContext } from './model-run.js'
import type { ReadPrompt } from './read-prompt.js'

/** The turn that a model is asked to take. A plain object: getters in a literal cost more than what they would save. */
export function modelTurn(
  { body, spec }: CheckedRequest,
  { parts, prompt }: ReadPrompt,
  { purpose, tools, instructions }: Pick<ModelTurn, 'purpose' | 'tools' | 'instructions'>,
  { source, signal }: AnswerContext,
): ModelTurn {
  return {
    purpose,
    tools,
    instructions,
    model: spec.id,
    system: body.system,
    messages: group(parts),
    thinks: thinks(body, spec),
    source,
    key: `${purpose}${prompt.positions.at(-1)?.chain}`,
    signal,
  }
}

function group(parts: readonly PromptPart[]): readonly Message[] {
  const messages: { role: PromptPart['role']; content: Block[] }[] = []
  for (const { role, block, weightless } of parts) {
    if (weightless) continue
    let message = messages.at(-1)
    if (message?.role !== role) {
      message = { role, content: [] }
      messages.push(message)
    }
    message.content.push(block)
  }
  return messages
}
