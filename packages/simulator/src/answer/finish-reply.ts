import { textDigest } from '../measure/digest.js'
import { countText, type TokenMemo } from '../measure/tokens.js'
import type { ModelSpec } from '../models/model-spec.js'
import type { Reply, ReplyBlock } from '../replies/model.js'
import type { Block, Json, MessagesBody, StopReason } from '../wire/messages.js'

/** A block as it leaves the server, with what it counts for. `partialJson` is the input of a call that was cut. */
export interface OutputBlock {
  readonly block: Block
  readonly tokens: number
  readonly isThinking: boolean
  readonly partialJson?: string
}

export interface Output {
  readonly blocks: readonly OutputBlock[]
  readonly stop: StopReason
  readonly stopSequence: string | null
  readonly details: Json
}

interface OutputLimits {
  readonly maxTokens: number
  /** What the window still holds. */
  readonly window: number
}

export interface Finish {
  readonly body: MessagesBody
  readonly spec: ModelSpec
  readonly limits: OutputLimits
  readonly thinks: boolean
  readonly memo: TokenMemo
  newId(prefix: 'toolu' | 'srvtoolu'): string
}

/** Makes a model's reply into response blocks, and cuts it where a limit or a stop sequence says so. */
export function finishReply(reply: Reply, finish: Finish): Output {
  const wanted = reply.content.flatMap((block) => toBlock(block, finish))
  const sequence = cutAtStopSequence(wanted, finish.body.stop_sequences ?? [])
  const limit = Math.min(finish.limits.maxTokens, finish.limits.window)
  const { blocks, isCut } = cutAtLimit(sequence.blocks, limit, finish)
  if (isCut) {
    const stop = finish.limits.maxTokens <= finish.limits.window ? 'max_tokens' : 'model_context_window_exceeded'
    return { blocks, stop, stopSequence: null, details: null }
  }
  if (sequence.found !== null) return { blocks, stop: 'stop_sequence', stopSequence: sequence.found, details: null }
  const calls = blocks.some(({ block }) => block.type === 'tool_use')
  return {
    blocks,
    stop: reply.stop ?? (calls ? 'tool_use' : 'end_turn'),
    stopSequence: null,
    details: reply.details ?? null,
  }
}

function toBlock(block: ReplyBlock, { thinks, newId }: Finish): Block[] {
  if (typeof block === 'string') return block === '' ? [] : [{ type: 'text', text: block, citations: null }]
  switch (block.type) {
    case 'text':
      return [{ citations: null, ...(block as Block) }]
    case 'thinking':
      return thinks ? [block as Block] : []
    case 'tool_use':
      return [{ ...(block as Block), id: block.id ?? newId('toolu'), caller: { type: 'direct' } }]
    case 'server_tool_use':
      return [{ ...(block as Block), id: block.id ?? newId('srvtoolu'), caller: { type: 'direct' } }]
  }
  return [block as Block]
}

function cutAtStopSequence(blocks: readonly Block[], sequences: readonly string[]) {
  if (sequences.length === 0) return { blocks, found: null }
  for (const [index, block] of blocks.entries()) {
    if (block.type !== 'text') continue
    const text = block.text as string
    const found = sequences
      .filter((sequence) => sequence !== '' && text.includes(sequence))
      .sort((a, b) => text.indexOf(a) - text.indexOf(b))[0]
    if (found === undefined) continue
    const kept = text.slice(0, text.indexOf(found))
    return { blocks: [...blocks.slice(0, index), ...(kept ? [{ ...block, text: kept }] : [])], found }
  }
  return { blocks, found: null }
}

function cutAtLimit(blocks: readonly Block[], limit: number, { spec, memo }: Finish) {
  const count = (text: string) => Math.ceil(countText(text) * spec.tokenFactor)
  const kept: OutputBlock[] = []
  let left = limit
  for (const block of blocks) {
    const text = outputText(block)
    // The next request brings the text back, and finds it counted.
    const tokens = Math.ceil(memo.count(textDigest(text), () => countText(text)) * spec.tokenFactor)
    const isThinking = block.type === 'thinking'
    if (tokens <= left) {
      kept.push({ block, tokens, isThinking })
      left -= tokens
      continue
    }
    const part = longestWithin(text, left, count)
    if (part !== '') kept.push({ ...cutBlock(block, part), tokens: count(part), isThinking })
    return { blocks: kept, isCut: true }
  }
  return { blocks: kept, isCut: false }
}

/** What the model writes for a block. */
function outputText(block: Block): string {
  if (block.type === 'text') return block.text as string
  if (block.type === 'thinking') return block.thinking as string
  if (block.type === 'tool_use' || block.type === 'server_tool_use') return JSON.stringify(block.input)
  return ''
}

function cutBlock(block: Block, part: string): { block: Block; partialJson?: string } {
  if (block.type === 'text') return { block: { ...block, text: part } }
  if (block.type === 'thinking') return { block: { ...block, thinking: part } }
  return { block: { ...block, input: {} }, partialJson: part }
}

/** The longest start of a text that stays within so many tokens, found by halving. */
function longestWithin(text: string, tokens: number, count: (text: string) => number): string {
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (count(text.slice(0, middle)) <= tokens) low = middle
    else high = middle - 1
  }
  return text.slice(0, low)
}
