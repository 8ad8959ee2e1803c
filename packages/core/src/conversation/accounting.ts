import { answeredCall } from '../log/timeline.js'
import { isThinking } from '../request/renderer.js'
import { MODEL, PERSON, type RenderedBlock, type RenderedMessage } from '../request/user-turn.js'
import { estimateBlock, estimateEpoch } from '../tokens/estimate.js'
import type { Block, Epoch } from '../types/log.js'

/** What fills the context. */
export interface Accounting {
  readonly total: number
  /** Largest first. Estimates that sum to the total. */
  readonly classes: readonly AccountedClass[]
  /** Files that were read more than once, and what that wastes. */
  readonly duplicates: readonly { readonly path: string; readonly reads: number; readonly wasted: number }[]
}

export interface AccountedClass {
  /** `human`, `assistant`, `thinking`, `call read_file`, `result read_file`, `note of <plugin>`, `system`, `tools`. */
  readonly name: string
  readonly tokens: number
  readonly percent: number
}

/** Sorts the tokens of a request by what they are for. */
export function accounting(all: readonly RenderedMessage[], epoch: Epoch, total: number): Accounting {
  const calls = callsIn(all)
  const messages = withoutErased(all)
  const sizes = new Map<string, number>()
  const add = (name: string, tokens: number) => sizes.set(name, (sizes.get(name) ?? 0) + tokens)
  const system = epoch.system.reduce((sum, block) => sum + estimateBlock(block), 0)
  add('system', system)
  add('tools', estimateEpoch(epoch) - system)
  for (const { blocks } of messages) for (const each of blocks) add(classOf(each, calls), estimateBlock(each.block))
  const estimated = [...sizes.values()].reduce((sum, tokens) => sum + tokens, 0)
  const scale = estimated > 0 ? total / estimated : 0
  return {
    total,
    classes: shares(sizes, total, scale),
    duplicates: duplicatesIn(messages, calls, scale),
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

function classOf({ block, owner, ref }: RenderedBlock, calls: ReadonlyMap<string, Block>): string {
  if (isThinking(block)) return 'thinking'
  if (block.type === 'tool_use') return `call ${block.name}`
  const call = answeredCall(block)
  if (call !== undefined) return `result ${calls.get(call)?.name ?? 'unknown'}`
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
): Accounting['duplicates'] {
  const reads = new Map<string, number[]>()
  for (const { blocks } of messages) {
    for (const { block } of blocks) {
      const path = pathOf(calls.get(answeredCall(block) ?? ''))
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

/** The file that a call reads; a call that also brings content writes it. */
function pathOf(call: Block | undefined): string | undefined {
  const input = call?.input as { path?: unknown; file_path?: unknown } | undefined
  const path = input?.path ?? input?.file_path
  const isOnlyRead = typeof path === 'string' && Object.values(input ?? {}).every((value) => String(value).length < 500)
  return isOnlyRead ? path : undefined
}
