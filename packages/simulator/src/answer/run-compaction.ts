import { countText } from '../prompt/count-text.js'
import { digest } from '../prompt/digest.js'
import { toReply } from '../replies/model.js'
import { changesDigest, type Seals } from '../thinking/thought.js'
import { BETA } from '../validate/betas.js'
import type { CheckedRequest } from '../validate/check-request.js'
import type { Block, StopReason } from '../wire.js'
import { finishReply, type Output } from './finish-reply.js'
import type { AnswerContext, ModelRun } from './model-run.js'
import { modelTurn } from './model-turn.js'
import type { ReadPrompt } from './read-prompt.js'
import { planCache } from './run-model.js'

/** Stands in the prompt where the client gave no instructions; its wording only matters for its length. */
const DEFAULT_INSTRUCTIONS =
  'Summarise the conversation so far so that the work can go on from the summary alone. Do not call tools.'

export interface CompactionTask {
  readonly request: CheckedRequest
  readonly read: ReadPrompt
  readonly instructions: string | null | undefined
  /** `signed` for a summary on demand, `plain` for one made when a threshold was passed. */
  readonly kind: 'signed' | 'plain'
}

/** Has the model summarise the conversation. Its tokens are billed, but are no part of the answer's usage. */
export async function runCompaction(task: CompactionTask, context: AnswerContext): Promise<ModelRun> {
  const { request, read } = task
  const plan = planCache(request, read, context)
  const instructions = task.instructions?.trim() ? task.instructions : undefined
  const asked = Math.ceil(countText(instructions ?? DEFAULT_INSTRUCTIONS) * request.spec.tokenFactor)
  const output = await summarise(task, instructions, asked, context)
  const tokens = output.blocks.reduce((sum, each) => sum + each.tokens, 0)
  const text = summaryText(output)
  return {
    blocks: summaryBlocks(task, text, context.backend.seals),
    stop: text === undefined && task.kind === 'signed' ? output.stop : 'compaction',
    stopSequence: null,
    details: output.details,
    iterations: [
      {
        type: 'compaction',
        read: plan.read,
        write5m: plan.write5m,
        write1h: plan.write1h,
        input: plan.input + asked,
        output: tokens,
        thinking: 0,
      },
    ],
    searches: 0,
    begin: plan.commit,
  }
}

async function summarise(
  { request, read }: CompactionTask,
  instructions: string | undefined,
  asked: number,
  context: AnswerContext,
): Promise<Output> {
  const { body, spec, tools } = request
  const turn = modelTurn(request, read, { purpose: 'compaction', tools, instructions }, context)
  return finishReply(toReply(await context.backend.model(turn)), {
    body,
    spec,
    limits: { maxTokens: body.max_tokens, window: spec.window - read.prompt.tokens - asked },
    thinks: false,
    memo: context.backend.memo,
    newId: context.backend.newId,
  })
}

const COMPLETE: ReadonlySet<StopReason> = new Set(['end_turn', 'compaction'])

/** The summary, unless the model was cut, refused, called a tool, or said nothing. */
function summaryText({ blocks, stop }: Output): string | undefined {
  const text = blocks.map(({ block }) => (block.type === 'text' ? block.text : '')).join('')
  return COMPLETE.has(stop) && text !== '' ? text : undefined
}

function summaryBlocks({ request, kind }: CompactionTask, text: string | undefined, seals: Seals): ModelRun['blocks'] {
  if (kind === 'signed' && text === undefined) return []
  const block: Block =
    kind === 'plain'
      ? { type: 'compaction', content: text ?? null, encrypted_content: null }
      : { type: 'compaction', content: text, encrypted_content: null, ...signature(request, text as string, seals) }
  return [{ block, tokens: 0, isThinking: false }]
}

function signature({ chain, parts, betas }: CheckedRequest, text: string, seals: Seals): Record<string, unknown> {
  const changes = betas.has(BETA.inlineTools) ? toolChanges(parts) : null
  const sealed = seals.compacted.close({
    prefix: chain.prefix(),
    summary: digest(text),
    lastRole: parts.at(-1)?.role ?? 'user',
    changes: changesDigest(changes),
  })
  return { signature: sealed, ...(changes && { tool_changes: changes }) }
}

function toolChanges(parts: CheckedRequest['parts']): readonly Block[] {
  return parts.flatMap(({ block }) => {
    if (block.type === 'compaction') return (block.tool_changes as Block[] | null) ?? []
    if (block.type !== 'tool_addition' && block.type !== 'tool_removal') return []
    return [{ type: block.type, tool: block.tool }]
  })
}
