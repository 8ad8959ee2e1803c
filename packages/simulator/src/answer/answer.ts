import { digest } from '../measure/digest.js'
import { countText } from '../measure/tokens.js'
import { checkLength, type ReadPrompt, readPrompt } from '../prompt/read-prompt.js'
import { toReply } from '../replies/model.js'
import { changesDigest, NO_TRAIL, type Seals } from '../thinking/signatures.js'
import type { CheckedRequest } from '../validate/check-request.js'
import { BETA } from '../wire/betas.js'
import type { Block, ContextEdit, Json, StopReason } from '../wire/messages.js'
import type { AnswerContext } from './backend.js'
import { finishReply, type Output } from './finish-reply.js'
import { type ModelRun, modelTurn, planCache, runModel } from './run-model.js'

const DEFAULT_TRIGGER = 150_000

/** A whole answer, not yet sent. */
export interface Answer extends ModelRun {
  readonly id: string
  readonly applied: readonly Json[]
  readonly deleted: number
  readonly diagnostics: Json
}

/** Answers a checked request: with a summary where one is asked for or due, else with what the model says. */
export async function answer(request: CheckedRequest, context: AnswerContext): Promise<Answer> {
  const { backend } = context
  const read = readPrompt(request, backend.memo)
  checkLength(request, read.prompt.tokens)
  const id = backend.newId('msg')
  const run = await chooseRun(request, read, context)
  // Field by field: to copy an object costs more than all else that is done here for a small request.
  return {
    id,
    blocks: run.blocks,
    stop: run.stop,
    stopSequence: run.stopSequence,
    details: run.details,
    iterations: run.iterations,
    searches: run.searches,
    webSearches: run.webSearches,
    applied: read.applied,
    deleted: read.prompt.deleted,
    diagnostics: backend.fingerprints.diagnose(request, read.prompt) ?? null,
    begin() {
      backend.fingerprints.remember(id, request, read.prompt)
      run.begin()
    },
  }
}

function chooseRun(request: CheckedRequest, read: ReadPrompt, context: AnswerContext): Promise<ModelRun> {
  const { compaction, context_management } = request.body
  if (compaction) {
    return runCompaction({ request, read, instructions: compaction.instructions, kind: 'signed' }, context)
  }
  const edit = context_management?.edits?.find((each) => each.type === 'compact_20260112')
  const isDue = edit !== undefined && read.prompt.tokens >= triggerOf(edit)
  return isDue ? compactThenRun(request, read, edit, context) : runModel(request, read, context)
}

function triggerOf(edit: ContextEdit): number {
  return (edit.trigger as { value: number } | null | undefined)?.value ?? DEFAULT_TRIGGER
}

/** Summarises, then goes on from the summary; a summary that failed is shown as such and changes nothing. */
async function compactThenRun(
  request: CheckedRequest,
  read: ReadPrompt,
  edit: ContextEdit,
  context: AnswerContext,
): Promise<ModelRun> {
  const instructions = edit.instructions as string | null | undefined
  const summary = await runCompaction({ request, read, instructions, kind: 'plain' }, context)
  if (edit.pause_after_compaction === true) return summary
  const block = summary.blocks[0]?.block as Block
  const parts = block.content === null ? read.parts : [{ role: 'assistant' as const, block, message: 0, index: 0 }]
  const rest = await runModel(resumeFrom(block, request), { ...read, parts, prompt: read.rebuild(parts) }, context)
  return {
    ...rest,
    blocks: [...summary.blocks, ...rest.blocks],
    iterations: [...summary.iterations, ...rest.iterations],
    begin() {
      summary.begin()
      rest.begin()
    },
  }
}

/** The request as it stands after a summary, for thinking to be bound to: what came before is no part of it. */
function resumeFrom(summary: Block, request: CheckedRequest): CheckedRequest {
  if (summary.content === null) return request
  request.chain.add({ role: 'assistant', block: summary })
  return { ...request, thinking: { ...request.thinking, trail: NO_TRAIL } }
}

/** Stands in the prompt where the client gave no instructions; its wording only matters for its length. */
const DEFAULT_INSTRUCTIONS =
  'Summarise the conversation so far so that the work can go on from the summary alone. Do not call tools.'

interface CompactionTask {
  readonly request: CheckedRequest
  readonly read: ReadPrompt
  readonly instructions: string | null | undefined
  /** `signed` for a summary on demand, `plain` for one made when a threshold was passed. */
  readonly kind: 'signed' | 'plain'
}

/** Has the model summarise the conversation. Its tokens are billed, but are no part of the answer's usage. */
async function runCompaction(task: CompactionTask, context: AnswerContext): Promise<ModelRun> {
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
    webSearches: 0,
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
