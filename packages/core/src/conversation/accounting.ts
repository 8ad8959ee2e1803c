import { answeredCall } from '../log/timeline.js'
import { isThinking } from '../request/renderer.js'
import { MODEL, PERSON, type RenderedBlock, type RenderedMessage } from '../request/user-turn.js'
import { estimateBlock, estimateEpoch } from '../tokens/estimate.js'
import type { Block, Epoch, Id } from '../types/log.js'
import type { Tool } from '../types/tool.js'

/** What fills the context. */
export interface Accounting {
  readonly total: number
  /** Largest first. Estimates that sum to the total. */
  readonly classes: readonly AccountedClass[]
  /** Files that were read more than once, and what that wastes. */
  readonly duplicates: readonly { readonly path: string; readonly reads: number; readonly wasted: number }[]
}

export interface AccountedClass {
  /**
   * `human`, `assistant`, `thinking`, `call read_file`, `result read_file`, `note of <plugin>`, `system`, `tools`. Of
   * images and documents `media`, or `media of look` in results; of what commands printed `local command output`, or
   * `local command output of run` in results.
   */
  readonly name: string
  readonly tokens: number
  readonly percent: number
}

/** What only the session knows. */
export interface AccountingContext {
  readonly total: number
  tool(name: string): Tool | undefined
  /** Whether an entry is what a command of the person printed. */
  isOutput(entry: Id): boolean
}

/** Sorts the tokens of a request by what they are for. */
export function accounting(all: readonly RenderedMessage[], epoch: Epoch, context: AccountingContext): Accounting {
  const { total } = context
  const calls = callsIn(all)
  const messages = withoutErased(all)
  const sizes = new Map<string, number>()
  const add = (name: string, tokens: number) => sizes.set(name, (sizes.get(name) ?? 0) + tokens)
  const system = epoch.system.reduce((sum, block) => sum + estimateBlock(block), 0)
  add('system', system)
  add('tools', estimateEpoch(epoch) - system)
  for (const each of messages.flatMap(({ blocks }) => blocks)) {
    const media = mediaIn(each.block)
    if (media > 0) add(mediaClass(each, calls), media)
    add(classOf(each, calls, context), estimateBlock(each.block) - media)
  }
  const estimated = [...sizes.values()].reduce((sum, tokens) => sum + tokens, 0)
  const scale = estimated > 0 ? total / estimated : 0
  return {
    total,
    classes: shares(sizes, total, scale),
    duplicates: duplicatesIn(messages, calls, scale, context),
  }
}

/** What the server leaves out fills nothing. */
function withoutErased(messages: readonly RenderedMessage[]): readonly RenderedMessage[] {
  const edits = messages.flatMap(({ blocks }) => blocks.flatMap(({ block }) => block.edits ?? []))
  const deleted = new Set((edits as { readonly cache_reference?: string }[]).map((edit) => edit.cache_reference))
  const isLeft = ({ block, weight }: RenderedBlock) => {
    const call = answeredCall(block)
    return weight === undefined && (call === undefined || !deleted.has(call))
  }
  return messages.map((message) => ({ ...message, blocks: message.blocks.filter(isLeft) }))
}

function callsIn(messages: readonly RenderedMessage[]): ReadonlyMap<string, Block> {
  const calls = new Map<string, Block>()
  for (const { blocks } of messages) {
    for (const { block } of blocks) if (block.type === 'tool_use') calls.set(block.id as string, block)
  }
  return calls
}

/** Estimated tokens of images and documents, also of those in a result. */
function mediaIn(block: Block): number {
  if (block.type === 'image' || block.type === 'document') return estimateBlock(block)
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return 0
  return block.content.reduce((sum: number, inner: Block) => sum + mediaIn(inner), 0)
}

function mediaClass({ block, owner, ref }: RenderedBlock, calls: ReadonlyMap<string, Block>): string {
  const call = answeredCall(block)
  if (call !== undefined) return `media of ${calls.get(call)?.name ?? 'unknown'}`
  return ref || owner === PERSON ? 'media' : `media of ${owner}`
}

const OUTPUT = 'local command output'

function classOf(
  { block, owner, ref }: RenderedBlock,
  calls: ReadonlyMap<string, Block>,
  { tool, isOutput }: AccountingContext,
): string {
  if (isThinking(block)) return 'thinking'
  if (block.type === 'tool_use') return `call ${block.name}`
  const call = answeredCall(block)
  if (call !== undefined) {
    const name = String(calls.get(call)?.name ?? 'unknown')
    return tool(name)?.isCommand ? `${OUTPUT} of ${name}` : `result ${name}`
  }
  if (ref && isOutput(ref.entry)) return OUTPUT
  if (ref || owner === PERSON || owner === MODEL) return owner === MODEL ? 'assistant' : 'human'
  return `note of ${owner}`
}

/** Rounded so that they still sum to the total: the largest class takes what is left over. */
function shares(sizes: ReadonlyMap<string, number>, total: number, scale: number): AccountedClass[] {
  const rounded = [...sizes]
    .map(([name, tokens]) => ({ name, tokens: Math.round(tokens * scale) }))
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens)
  const left = total - rounded.reduce((sum, { tokens }) => sum + tokens, 0)
  return rounded.map(({ name, tokens }, index) => {
    const own = index === 0 ? tokens + left : tokens
    return { name, tokens: own, percent: Math.round((own / total) * 1000) / 10 }
  })
}

function duplicatesIn(
  messages: readonly RenderedMessage[],
  calls: ReadonlyMap<string, Block>,
  scale: number,
  context: AccountingContext,
): Accounting['duplicates'] {
  const reads = new Map<string, number[]>()
  for (const { blocks } of messages) {
    for (const { block, owner } of blocks) {
      // What was cleared or has failed fills nothing with a file.
      if (owner !== PERSON || block.is_error === true) continue
      const path = readBy(calls.get(answeredCall(block) ?? ''), context)
      if (path !== undefined) reads.set(path, [...(reads.get(path) ?? []), estimateBlock(block) * scale])
    }
  }
  return [...reads]
    .filter(([, sizes]) => sizes.length > 1)
    .map(([path, sizes]) => {
      const all = sizes.reduce((sum, size) => sum + size, 0)
      return { path, reads: sizes.length, wasted: Math.floor(all / sizes.length) * (sizes.length - 1) }
    })
    .sort((a, b) => b.wasted - a.wasted)
}

/** The file that a call reads, by what its tool says of it. */
function readBy(call: Block | undefined, { tool }: AccountingContext): string | undefined {
  const found = call && tool(String(call.name))
  if (!found?.reads) return undefined
  try {
    return found.reads(found.schema.parse(call?.input))
  } catch {
    return undefined
  }
}
