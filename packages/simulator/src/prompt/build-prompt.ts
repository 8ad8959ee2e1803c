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
  /** The types of block in the messages of the body. */
  readonly kinds: ReadonlySet<string>
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
  const draft: Draft = {
    positions: [],
    chain: `${input.scope}\0${input.spec.id}`,
    tokens: 0,
    hidden: 0,
    deleted: 0,
  }
  addTools(draft, input)
  addSystem(draft, input)
  addMessages(draft, input)
  return { positions: draft.positions, tokens: draft.tokens + draft.hidden, deleted: draft.deleted }
}

interface Draft {
  readonly positions: Position[]
  /** Settings that change all that follows are put behind it, for the next block's hash: one of their own would cost. */
  chain: string
  tokens: number
  /** Tokens that have no block of their own: they count with the next one. */
  hidden: number
  deleted: number
}

function push(draft: Draft, block: Block | Tool, link: string, weight: number, weightless = false): void {
  draft.chain = digest(`${draft.chain}${link}`)
  if (!weightless) draft.tokens += weight
  else if (block.type === 'tool_result') draft.deleted += weight
  draft.tokens += draft.hidden
  draft.hidden = 0
  draft.positions.push({ chain: draft.chain, tokens: draft.tokens, ttl: ttlOf(block) })
}

function addTools(draft: Draft, input: PromptInput): void {
  const tools = inPrompt(input.body.tools)
  if (tools.length) draft.hidden += input.spec.toolPrompt.free
  for (const tool of tools) if (!isWebSearch(tool)) addTool(draft, tool, input)
}

function addTool(draft: Draft, tool: Tool, { tokensOf, digestOf }: PromptInput): void {
  const own = digestOf(tool)
  push(draft, tool, `tool${own}`, tokensOf(tool, own))
}

function addSystem(draft: Draft, input: PromptInput): void {
  const { body, tokensOf, digestOf } = input
  draft.chain += systemSalt(input)
  // Web search changes what the system prompt says, so it stands behind the other tools and spares them.
  for (const tool of inPrompt(body.tools)) if (isWebSearch(tool)) addTool(draft, tool, input)
  for (const block of body.system) {
    const own = digestOf(block)
    push(draft, block, `system${own}`, tokensOf(block, own))
  }
}

function addMessages(draft: Draft, { body, parts, spec, tokensOf, digestOf, thinkingTokens }: PromptInput): void {
  draft.chain += messagesSalt(body, parts, spec)
  if (isForced(body)) draft.hidden += spec.toolPrompt.forced - spec.toolPrompt.free
  const deferred = body.tools.filter((tool) => tool.defer_loading)
  let speaker: Role | undefined
  for (const { role, block, weightless } of parts) {
    const own = digestOf(block)
    const thought = thinkingTokens.size > 0 ? thinkingTokens.get(block) : undefined
    let link = role + own
    let weight = thought ?? tokensOf(block, own)
    if (role !== speaker) weight += TURN_TOKENS
    if (deferred.length > 0) {
      for (const tool of referencedTools(block, deferred)) {
        const found = digestOf(tool)
        link += found
        weight += tokensOf(tool, found)
      }
    }
    speaker = role
    push(draft, block, link, weight, weightless)
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
function systemSalt({ body, kinds }: PromptInput): string {
  const mayCite = kinds.has('document') || kinds.has('search_result') || kinds.has('tool_result')
  const citations = mayCite && body.messages.some((message) => message.content.some(hasCitations))
  return `system\0${body.speed ?? 'standard'}\0${citations}`
}

/** What costs the message caches only. A default that is spelled out is no change. */
function messagesSalt(body: MessagesBody, parts: readonly PromptPart[], spec: ModelSpec): string {
  const choice = body.tool_choice
  const images = parts.some(({ block }) => hasImage(block))
  const thinking = body.thinking?.type ?? (spec.thinking.byDefault ? 'adaptive' : 'disabled')
  const chosen = body.tools.length ? (choice?.type ?? 'auto') : ''
  const alone = choice?.disable_parallel_tool_use ?? false
  const budget = body.thinking?.budget_tokens ?? 0
  return `messages\0${chosen}\0${choice?.name ?? ''}\0${alone}\0${images}\0${thinking}\0${budget}\0${effortOf(body, spec)}`
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
function referencedTools(block: Block, deferred: readonly Tool[]): readonly Tool[] {
  return toolReferences(block).flatMap((name) => deferred.find((tool) => tool.name === name) ?? [])
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
