import { ttlOf } from '../cache/markers.js'
import type { ModelSpec } from '../models/model-spec.js'
import { effortOf, isForced } from '../validate/check-settings.js'
import type { Block, MessagesBody, Role, Tool, Ttl } from '../wire.js'
import type { BlockTokens } from './block-tokens.js'
import { type DigestOf, digest } from './digest.js'
import type { PromptPart } from './effective-parts.js'

/** One block of the prompt: the hash of everything up to and with it, and the tokens up to and with it. */
export interface Position {
  readonly chain: string
  readonly tokens: number
  readonly ttl: Ttl | undefined
}

export interface Prompt {
  readonly positions: readonly Position[]
  readonly tokens: number
  /** Tokens that were deleted from the cached prefix by reference. */
  readonly deleted: number
}

export interface PromptInput {
  readonly body: MessagesBody
  readonly parts: readonly PromptPart[]
  readonly spec: ModelSpec
  /** Organisation and workspace: caches are never shared across them. */
  readonly scope: string
  readonly tokensOf: BlockTokens
  readonly digestOf: DigestOf
  readonly thinkingTokens: ReadonlyMap<Block, number>
}

const TURN_TOKENS = 4

/** Lays a request out in the order the cache reads it: tools, system, messages. */
export function buildPrompt(input: PromptInput): Prompt {
  const draft = promptDraft(`${input.scope}\0${input.spec.id}`)
  addTools(draft, input)
  addSystem(draft, input)
  addMessages(draft, input)
  return { ...draft.totals(), positions: draft.positions }
}

interface Draft {
  readonly positions: Position[]
  /** Changes all that follows without being a block itself. */
  salt(text: string): void
  /** Tokens that have no block of their own: they count with the next one. */
  hide(tokens: number): void
  push(block: Block | Tool, own: string, key: string, weight: number, weightless?: boolean): void
  totals(): { readonly tokens: number; readonly deleted: number }
}

function promptDraft(seed: string): Draft {
  const positions: Position[] = []
  // Salts go into the hash of the next block: a hash of their own would cost as much as a block.
  let chain = seed
  let tokens = 0
  let hidden = 0
  let deleted = 0
  return {
    positions,
    salt(text) {
      chain += text
    },
    hide(more) {
      hidden += more
    },
    push(block, own, key, weight, weightless = false) {
      chain = digest(`${chain}${key}${own}`)
      if (!weightless) tokens += weight
      else if (block.type === 'tool_result') deleted += weight
      tokens += hidden
      hidden = 0
      positions.push({ chain, tokens, ttl: ttlOf(block) })
    },
    totals: () => ({ tokens: tokens + hidden, deleted }),
  }
}

function addTools(draft: Draft, { body, spec, tokensOf, digestOf }: PromptInput): void {
  const tools = inPrompt(body.tools)
  if (tools.length) draft.hide(spec.toolPrompt.free)
  for (const tool of tools) {
    if (isWebSearch(tool)) continue
    const own = digestOf(tool)
    draft.push(tool, own, 'tool', tokensOf(tool, own))
  }
}

function addSystem(draft: Draft, { body, tokensOf, digestOf }: PromptInput): void {
  draft.salt(systemSalt(body))
  // Web search changes what the system prompt says, so it stands behind the other tools and spares them.
  for (const tool of inPrompt(body.tools).filter(isWebSearch)) {
    const own = digestOf(tool)
    draft.push(tool, own, 'tool', tokensOf(tool, own))
  }
  for (const block of body.system) {
    const own = digestOf(block)
    draft.push(block, own, 'system', tokensOf(block, own))
  }
}

function addMessages(draft: Draft, { body, parts, spec, tokensOf, digestOf, thinkingTokens }: PromptInput): void {
  draft.salt(messagesSalt(body, parts, spec))
  if (isForced(body)) draft.hide(spec.toolPrompt.forced - spec.toolPrompt.free)
  const deferred = new Map(body.tools.filter((tool) => tool.defer_loading).map((tool) => [tool.name, tool]))
  let speaker: Role | undefined
  for (const { role, block, weightless } of parts) {
    const own = digestOf(block)
    let key: string = role
    let weight = thinkingTokens.get(block) ?? tokensOf(block, own)
    if (role !== speaker) weight += TURN_TOKENS
    for (const tool of referencedTools(block, deferred)) {
      const found = digestOf(tool)
      key += found
      weight += tokensOf(tool, found)
    }
    speaker = role
    draft.push(block, own, key, weight, weightless)
  }
}

/** Deferred tools are no part of the prompt until something refers to them. */
function inPrompt(tools: readonly Tool[]): readonly Tool[] {
  return tools.filter((tool) => !tool.defer_loading)
}

function isWebSearch(tool: Tool): boolean {
  return tool.type?.startsWith('web_search_') ?? false
}

/** What costs the system and message caches when it changes, but not the tools'. */
function systemSalt(body: MessagesBody): string {
  const citations = body.messages.some((message) => message.content.some(hasCitations))
  return `system\0${body.speed ?? 'standard'}\0${citations}`
}

/** What costs the message caches only. A default that is spelled out is no change. */
function messagesSalt(body: MessagesBody, parts: readonly PromptPart[], spec: ModelSpec): string {
  const choice = body.tool_choice
  const images = parts.some(({ block }) => hasImage(block))
  const thinking = body.thinking?.type ?? (spec.thinking.byDefault ? 'adaptive' : 'disabled')
  return [
    'messages',
    body.tools.length ? (choice?.type ?? 'auto') : '',
    choice?.name ?? '',
    choice?.disable_parallel_tool_use ?? false,
    images,
    thinking,
    body.thinking?.budget_tokens ?? 0,
    effortOf(body, spec),
  ].join('\0')
}

function hasImage(block: Block): boolean {
  if (block.type === 'image') return true
  return block.type === 'tool_result' && Array.isArray(block.content) && (block.content as Block[]).some(hasImage)
}

function hasCitations(block: Block): boolean {
  if (block.type === 'tool_result') return Array.isArray(block.content) && (block.content as Block[]).some(hasCitations)
  return (block.citations as { enabled?: boolean } | null | undefined)?.enabled === true
}

/** Deferred tools that a block brings into the prompt. */
function referencedTools(block: Block, deferred: ReadonlyMap<string, Tool>): readonly Tool[] {
  if (deferred.size === 0) return []
  return toolReferences(block).flatMap((name) => deferred.get(name) ?? [])
}

export function toolReferences(block: Block): readonly string[] {
  if (block.type === 'tool_addition') {
    const tool = block.tool as { type: string; name?: string }
    return tool.type === 'tool_reference' && tool.name ? [tool.name] : []
  }
  const content = block.type === 'tool_search_tool_result' ? (block.content as Block).tool_references : block.content
  if (!Array.isArray(content)) return []
  return (content as Block[])
    .filter((inner) => inner.type === 'tool_reference')
    .map((inner) => inner.tool_name as string)
}
