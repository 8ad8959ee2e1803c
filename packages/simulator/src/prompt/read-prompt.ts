import { digest } from '../measure/digest.js'
import { type BlockTokens, blockTokens, type TokenMemo } from '../measure/tokens.js'
import { effortOf, isForced, type ModelSpec } from '../models/model-spec.js'
import type { CheckedRequest } from '../validate/check-request.js'
import { invalid } from '../wire/api-error.js'
import {
  type Block,
  type Json,
  loadedTools,
  type MessagesBody,
  type Role,
  type Tool,
  type Ttl,
  toolReferences,
  ttlOf,
} from '../wire/messages.js'
import { editContext, effectiveParts, type PromptPart } from './effective-parts.js'

/** A request as the model will read it. */
export interface ReadPrompt {
  readonly parts: readonly PromptPart[]
  readonly prompt: Prompt
  /** Tokens before any clearing by the server. */
  readonly originalTokens: number
  readonly applied: readonly Json[]
  /** The prompt of the same request with other messages; thinking that is new comes with its tokens. */
  rebuild(parts: readonly PromptPart[], thinkingTokens?: ReadonlyMap<Block, number>): Prompt
}

export function readPrompt(request: CheckedRequest, memo: TokenMemo): ReadPrompt {
  const tokensOf = blockTokens(request.spec, memo)
  const rebuild: ReadPrompt['rebuild'] = (parts, thinkingTokens = request.thinking.tokens) =>
    buildPrompt({ request, parts, tokensOf, thinkingTokens })

  const edits = request.body.context_management?.edits ?? []
  const parts = effectiveParts(request)
  const prompt = rebuild(parts)
  if (edits.length === 0) return { parts, prompt, originalTokens: prompt.tokens, applied: [], rebuild }

  const edited = editContext(parts, edits, (some) => (some === parts ? prompt : rebuild(some)).tokens)
  return {
    parts: edited.parts,
    prompt: edited.parts === parts ? prompt : rebuild(edited.parts),
    originalTokens: prompt.tokens,
    applied: edited.applied,
    rebuild,
  }
}

/** The window is the last thing a request can run into. */
export function checkLength({ body, spec }: CheckedRequest, tokens: number): void {
  if (tokens > spec.window) throw invalid(`prompt is too long: ${tokens} tokens > ${spec.window} maximum`)
  if (spec.overflow === 'refuse' && tokens + body.max_tokens > spec.window) {
    throw invalid(
      `input length and \`max_tokens\` exceed context limit: ${tokens} + ${body.max_tokens} > ${spec.window}, decrease input length or \`max_tokens\` and try again`,
    )
  }
}

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

/** A request with the blocks that are left of it. */
interface PromptInput {
  readonly request: CheckedRequest
  readonly parts: readonly PromptPart[]
  readonly tokensOf: BlockTokens
  readonly thinkingTokens: ReadonlyMap<Block, number>
}

const TURN_TOKENS = 4

/** Lays a request out in the order the cache reads it: tools, system, messages. */
function buildPrompt(input: PromptInput): Prompt {
  const { account, spec } = input.request
  const draft: Draft = {
    positions: [],
    // Caches are never shared across organisations and workspaces.
    chain: `${account.organization}\0${account.workspace}\0${spec.id}`,
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
  const { body, spec } = input.request
  const tools = loadedTools(body.tools)
  if (tools.length) draft.hidden += spec.toolPrompt.free
  for (const tool of tools) if (!isWebSearch(tool)) addTool(draft, tool, input)
}

function addTool(draft: Draft, tool: Tool, { tokensOf, request }: PromptInput): void {
  const own = request.digestOf(tool)
  push(draft, tool, `tool${own}`, tokensOf(tool, own))
}

function addSystem(draft: Draft, input: PromptInput): void {
  const { request, tokensOf } = input
  const { body, digestOf } = request
  draft.chain += systemSalt(request)
  // Web search changes what the system prompt says, so it stands behind the other tools and spares them.
  for (const tool of loadedTools(body.tools)) if (isWebSearch(tool)) addTool(draft, tool, input)
  for (const block of body.system) {
    const own = digestOf(block)
    push(draft, block, `system${own}`, tokensOf(block, own))
  }
}

function addMessages(draft: Draft, { request, parts, tokensOf, thinkingTokens }: PromptInput): void {
  const { body, spec, digestOf } = request
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

function isWebSearch(tool: Tool): boolean {
  return tool.type?.startsWith('web_search_') ?? false
}

/** What costs the system and message caches when it changes, but not the tools'. */
function systemSalt({ body, kinds }: CheckedRequest): string {
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
