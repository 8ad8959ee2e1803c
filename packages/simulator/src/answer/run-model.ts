import type { CachePlan } from '../cache/prompt-cache.js'
import type { PromptPart } from '../prompt/effective-parts.js'
import { isPromise, type Reply, toReply } from '../replies/model.js'
import type { CheckedRequest } from '../validate/check-request.js'
import { thinks } from '../validate/check-settings.js'
import type { Block, Tool } from '../wire.js'
import { finishReply, type Output, type OutputBlock } from './finish-reply.js'
import type { AnswerContext, ModelRun } from './model-run.js'
import { modelTurn } from './model-turn.js'
import type { ReadPrompt } from './read-prompt.js'
import { signThinking } from './sign-thinking.js'
import { isToolSearch, searchTools } from './tool-search.js'
import type { Iteration } from './usage.js'

const MAX_ITERATIONS = 10
/** Even an answer without content has its end. */
const EMPTY_ANSWER = 2

type Ending = Omit<Output, 'blocks'>
const PREWARMED: Ending = { stop: 'max_tokens', stopSequence: null, details: null }
const PAUSED: Ending = { stop: 'pause_turn', stopSequence: null, details: null }

/** Runs the model until it stops by itself; a tool search is answered here, and the model goes on. */
export async function runModel(request: CheckedRequest, first: ReadPrompt, context: AnswerContext): Promise<ModelRun> {
  const blocks: OutputBlock[] = []
  const iterations: Iteration[] = []
  const plans: CachePlan[] = []
  let read = first
  let tools = request.tools
  let trail = request.thinking.trail
  let searches = 0
  const end = ({ stop, stopSequence, details }: Ending): ModelRun => ({
    stop,
    stopSequence,
    details,
    blocks,
    iterations,
    searches,
    begin: () => {
      for (const plan of plans) plan.commit()
    },
  })

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
    if (!search || !isToolSearch(search)) return end(output)

    const result = searchTools(search, request.body.tools)
    blocks.push({ block: result, tokens: 0, isThinking: false })
    request.chain.add({ role: 'assistant', block: result })
    searches += 1
    if (searches === MAX_ITERATIONS) return end(PAUSED)
    tools = withFound(tools, result, request.body.tools)
    // The next run reads what this one wrote: it has answered already.
    plan.commit()
    const said = signed.blocks.map(({ block }) => block)
    read = extend(read, [...said, automaticallyMarked(result, request)], thinkingTokens(request, blocks))
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
  return finishReply(reply, {
    body,
    spec,
    limits: { maxTokens, window: spec.window - read.prompt.tokens },
    thinks: thinks(body, spec),
    memo: context.backend.memo,
    newId: context.backend.newId,
  })
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
