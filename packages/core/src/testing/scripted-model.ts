import { NacreError, shown } from '../errors.js'
import { NO_USAGE } from '../tokens/cost.js'
import { estimateBlock, estimateEpoch } from '../tokens/estimate.js'
import type { Block, Usage } from '../types/log.js'
import type { Model, ModelEvent, ModelInfo, Request } from '../types/model.js'

/** What a scripted model says: words, blocks, blocks with the reason it stopped, an error, or half an answer. */
export type ScriptedTurn =
  | string
  | readonly Block[]
  | { readonly content: readonly Block[]; readonly stop: string }
  | Error
  | 'cut'

export interface ScriptedModel extends Model {
  /** Every request it was sent. */
  readonly requests: readonly Request[]
}

const INFO: ModelInfo = {
  id: 'scripted',
  window: 200_000,
  maxOutput: 32_000,
  cacheMinimum: 1024,
  thinking: 'none',
  can: new Set(['system-messages']),
  price: () => ({ input: 1, output: 5, read: 0.1, write5m: 1.25, write1h: 2 }),
}

/** A model that answers from a list or by a function, without a server; when the list is over it says 'done'. */
export function scriptedModel(
  script: readonly ScriptedTurn[] | ((request: Request, number: number) => ScriptedTurn),
  info: Partial<ModelInfo> = {},
): ScriptedModel {
  const requests: Request[] = []
  const next = (request: Request, number: number) =>
    typeof script === 'function' ? script(request, number) : (script[number] ?? 'done')
  return {
    info: { ...INFO, ...info },
    requests,
    async *stream(request, signal): AsyncGenerator<ModelEvent> {
      await nextTurn()
      signal.throwIfAborted()
      const number = requests.push(request) - 1
      const turn = next(request, number)
      if (turn instanceof Error) throw turn
      yield { type: 'start', messageId: `message-${number}` }
      if (turn === 'cut') return
      const { content, stop } = answerOf(turn, number)
      for (const [index, block] of content.entries()) {
        yield { type: 'delta', index, block }
        yield { type: 'block', index, block }
      }
      yield { type: 'end', stop, usage: usageOf(request, content), thinkingDropped: [] }
    },
  }
}

/** As they are when the module is loaded: tests may put others in their place. */
const { setImmediate: soon, setTimeout: later } = globalThis as Pick<typeof globalThis, 'setTimeout'> & {
  readonly setImmediate?: (work: () => void) => unknown
}

/** What answers at once, call after call, would never let a timer fire: an abort by one has to be heard. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (soon) soon(resolve)
    else later(resolve)
  })
}

function answerOf(turn: Exclude<ScriptedTurn, Error>, number: number): { content: readonly Block[]; stop: string } {
  if (typeof turn === 'string') return { content: [{ type: 'text', text: turn }], stop: 'end_turn' }
  if (!Array.isArray(turn)) {
    const { content, stop } = Object(turn) as { content?: readonly Block[]; stop?: string }
    if (Array.isArray(content) && typeof stop === 'string') return { content, stop }
    const message = `The script gave ${shown(turn)} as answer ${number}: give a text, a list of blocks, { content, stop }, an error, or 'cut'.`
    throw new NacreError('INVALID_REQUEST', message)
  }
  const blocks = turn as readonly Block[]
  const content = blocks.map((block, index) =>
    block.type === 'tool_use' ? { id: `call-${number}-${index}`, ...block } : block,
  )
  return { content, stop: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn' }
}

/** Nothing is cached here: what is read is all input, and as large as it is estimated to be. */
function usageOf({ epoch, messages }: Request, content: readonly Block[]): Usage {
  const sent = (messages as unknown as { readonly content: readonly Block[] }[]).flatMap((message) => message.content)
  const input = Math.ceil(estimateEpoch(epoch) + sizeOf(sent))
  const output = Math.ceil(sizeOf(content))
  return { ...NO_USAGE, input, output, dollars: (input + 5 * output) / 1e6 }
}

function sizeOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + estimateBlock(block), 0)
}
