import { digest } from '../measure/digest.js'
import { thinks } from '../models/model-spec.js'
import type { CachePlan } from '../prompt/prompt-cache.js'
import type { ReadPrompt } from '../prompt/read-prompt.js'
import { isPromise, type ModelTurn, type Reply, toReply } from '../replies/model.js'
import { extendTrail, type Seals, type Trail } from '../thinking/signatures.js'
import type { CheckedRequest } from '../validate/check-request.js'
import type { Block, Json, Message, StopReason, Tool } from '../wire/messages.js'
import type { AnswerContext } from './backend.js'
import { finishReply, type Output, type OutputBlock } from './finish-reply.js'
import type { Iteration } from './usage.js'
import { isBilled, openSearch, searchTool, searchWeb, withCitations } from './web-search.js'

type PromptPart = ReadPrompt['parts'][number]

/** What one or more runs of the model gave. */
export interface ModelRun {
  readonly blocks: readonly OutputBlock[]
  readonly stop: StopReason
  readonly stopSequence: string | null
  readonly details: Json
  readonly iterations: readonly Iteration[]
  /** Of tools and of the web. */
  readonly searches: number
  /** Searches of the web that are billed. */
  readonly webSearches: number
  /** Called when the first byte leaves: from then on others can read what this request wrote to the cache. */
  begin(): void
}

const MAX_ITERATIONS = 10
/** Even an answer without content has its end. */
const EMPTY_ANSWER = 2

type Ending = Omit<Output, 'blocks'>
const PREWARMED: Ending = { stop: 'max_tokens', stopSequence: null, details: null }
const PAUSED: Ending = { stop: 'pause_turn', stopSequence: null, details: null }

/** Runs the model until it stops by itself; a search is answered here, and the model goes on. */
export async function runModel(request: CheckedRequest, first: ReadPrompt, context: AnswerContext): Promise<ModelRun> {
  const blocks: OutputBlock[] = []
  const iterations: Iteration[] = []
  const plans: CachePlan[] = []
  let read = first
  let tools = request.tools
  let trail = request.thinking.trail
  let searches = 0
  let webSearches = 0
  const end = ({ stop, stopSequence, details }: Ending): ModelRun => ({
    stop,
    stopSequence,
    details,
    blocks,
    iterations,
    searches,
    webSearches,
    begin: () => {
      for (const plan of plans) plan.commit()
    },
  })

  const answerSearch = (search: Block): Block | undefined => {
    const result = isToolSearch(search) ? searchTools(search, request.body.tools) : searched(search)
    if (!result) return undefined
    blocks.push({ block: result, tokens: 0, isThinking: false })
    request.chain.add({ role: 'assistant', block: result })
    return result
  }
  const searched = (search: Block): Block | undefined => {
    const tool = searchTool(search, tools)
    const result = tool && searchWeb(search, { tool, used: webSearches }, context.backend.search, context.backend.seals)
    if (result && isBilled(result)) webSearches += 1
    return result
  }
  const goOn = (said: readonly Block[], result: Block) => {
    read = extend(read, [...said, automaticallyMarked(result, request)], thinkingTokens(request, blocks))
  }
  const paused = openSearch(request.parts.map(({ block }) => block))
  const late = paused && answerSearch(paused)
  if (late) goOn([], late)

  for (;;) {
    const plan = planCache(request, read, context)
    plans.push(plan)
    const left = request.body.max_tokens - total(blocks)
    if (left === 0) {
      iterations.push({ ...toIteration(plan, []), output: 0 })
      return end(PREWARMED)
    }
    const asked = ask(request, read, tools, context)
    // Most models answer at once, and waiting for what is there costs a turn of the queue.
    const reply = toReply(isPromise(asked) ? await asked : asked)
    const output = finish(reply, request, read, left, context)
    const signed = signThinking(output.blocks, request, trail, context.backend.seals)
    trail = signed.trail
    blocks.push(...signed.blocks)
    iterations.push(toIteration(plan, signed.blocks))
    const search = signed.blocks.at(-1)?.block
    const result = search && output.stop !== 'pause_turn' ? answerSearch(search) : undefined
    if (!result) return end(output)
    searches += 1
    if (searches === MAX_ITERATIONS) return end(PAUSED)
    tools = withFound(tools, result, request.body.tools)
    // The next run reads what this one wrote: it has answered already.
    plan.commit()
    goOn(
      signed.blocks.map(({ block }) => block),
      result,
    )
  }
}

export function planCache({ spec }: CheckedRequest, { prompt }: ReadPrompt, context: AnswerContext): CachePlan {
  return context.backend.cache.plan(prompt.positions, prompt.tokens, spec.cacheMinimum, context.started)
}

function ask(request: CheckedRequest, read: ReadPrompt, tools: readonly Tool[], context: AnswerContext) {
  const turn = modelTurn(request, read, { purpose: 'message', tools, instructions: undefined }, context)
  return context.backend.model(turn)
}

function finish(
  reply: Reply,
  { body, spec }: CheckedRequest,
  read: ReadPrompt,
  maxTokens: number,
  context: AnswerContext,
): Output {
  const { content } = reply
  return finishReply(
    { ...reply, content: content.map((block) => withCitations(block, context.backend.seals)) },
    {
      body,
      spec,
      limits: { maxTokens, window: spec.window - read.prompt.tokens },
      thinks: thinks(body, spec),
      memo: context.backend.memo,
      newId: context.backend.newId,
    },
  )
}

function total(blocks: readonly OutputBlock[]): number {
  let sum = 0
  for (const { tokens } of blocks) sum += tokens
  return sum
}

function toIteration(plan: CachePlan, blocks: readonly OutputBlock[]): Iteration {
  const { read, write5m, write1h, input } = plan
  let thinking = 0
  for (const { tokens, isThinking } of blocks) if (isThinking) thinking += tokens
  return { type: 'message', read, write5m, write1h, input, output: Math.max(total(blocks), EMPTY_ANSWER), thinking }
}

function thinkingTokens({ thinking }: CheckedRequest, answered: readonly OutputBlock[]): ReadonlyMap<Block, number> {
  const all = new Map(thinking.tokens)
  for (const { block, tokens, isThinking } of answered) if (isThinking) all.set(block, tokens)
  return all
}

function withFound(tools: readonly Tool[], result: Block, all: readonly Tool[]): readonly Tool[] {
  const references = ((result.content as Block).tool_references ?? []) as readonly Block[]
  const names = new Set(references.map((each) => each.tool_name))
  return [...tools, ...all.filter((tool) => names.has(tool.name) && !tools.includes(tool))]
}

/** Where a request has any marker, the server marks its own tool results between runs. */
function automaticallyMarked(result: Block, { hasMarkers }: CheckedRequest): Block {
  return hasMarkers ? { ...result, cache_control: { type: 'ephemeral' } } : result
}

function extend(read: ReadPrompt, blocks: readonly Block[], thinkingTokens: ReadonlyMap<Block, number>): ReadPrompt {
  const added = blocks.map((block): PromptPart => ({ role: 'assistant', block, message: -1, index: -1 }))
  const parts = [...read.parts, ...added]
  return { ...read, parts, prompt: read.rebuild(parts, thinkingTokens) }
}

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

interface Signed {
  readonly blocks: readonly OutputBlock[]
  /** The thinking up to the end of these blocks: the next one names it. */
  readonly trail: Trail
}

/** Seals the thinking of an answer to the conversation it was made in, and shows as much of it as was asked for. */
function signThinking(
  blocks: readonly OutputBlock[],
  { body, spec, account, chain }: CheckedRequest,
  before: Trail,
  seals: Seals,
): Signed {
  const isShown = (body.thinking?.display ?? spec.thinking.display) !== 'omitted'
  let trail = before
  const signed = blocks.map((output): OutputBlock => {
    if (!output.isThinking) {
      chain.add({ role: 'assistant', block: output.block })
      return output
    }
    const text = isShown ? (output.block.thinking as string) : ''
    const seal = seals.thought.close({
      organization: account.organization,
      model: spec.id,
      tokens: output.tokens,
      shown: isShown ? digest(text) : null,
      prefix: spec.thinking.bound ? chain.prefix() : null,
      trail,
    })
    trail = extendTrail(trail, seal)
    const block: Block = output.block.redacted
      ? { type: 'redacted_thinking', data: seal }
      : { type: 'thinking', thinking: text, signature: seal }
    return { ...output, block }
  })
  return { blocks: signed, trail }
}

const DEFAULT_LIMIT = 5
const LONGEST_PATTERN = 200
const LONGEST_QUERY = 500

function isToolSearch(block: Block): boolean {
  return block.type === 'server_tool_use' && String(block.name).startsWith('tool_search_tool')
}

/** Runs a tool search over the deferred tools and gives the block that answers it. */
function searchTools(use: Block, tools: readonly Tool[]): Block {
  const { pattern, query, limit = DEFAULT_LIMIT } = use.input as { pattern?: string; query?: string; limit?: number }
  const deferred = tools.filter((tool) => tool.defer_loading)
  const found = pattern === undefined ? byWords(deferred, query ?? '') : byPattern(deferred, pattern)
  const content = Array.isArray(found)
    ? {
        type: 'tool_search_tool_search_result',
        tool_references: found.slice(0, limit).map((tool) => ({ type: 'tool_reference', tool_name: tool.name })),
      }
    : { type: 'tool_search_tool_result_error', error_code: 'invalid_tool_input', error_message: found }
  return { type: 'tool_search_tool_result', tool_use_id: use.id, content }
}

function byPattern(tools: readonly Tool[], pattern: string): readonly Tool[] | string {
  if (pattern.length > LONGEST_PATTERN) return `pattern exceeds ${LONGEST_PATTERN} characters`
  try {
    const expression = new RegExp(pattern.replace(/^\(\?i\)/, ''), 'i')
    return tools.filter((tool) => expression.test(textOf(tool)))
  } catch (error) {
    return (error as Error).message
  }
}

/** Ranks by how many of the words a tool has. The API uses BM25; the order of close matches may differ. */
function byWords(tools: readonly Tool[], query: string): readonly Tool[] | string {
  if (query.length > LONGEST_QUERY) return `query exceeds ${LONGEST_QUERY} characters`
  const words = query.toLowerCase().split(/\W+/).filter(Boolean)
  return tools
    .map((tool) => ({ tool, score: words.filter((word) => textOf(tool).toLowerCase().includes(word)).length }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool)
}

function textOf(tool: Tool): string {
  return `${tool.name} ${tool.description ?? ''} ${JSON.stringify(tool.input_schema ?? {})}`
}
