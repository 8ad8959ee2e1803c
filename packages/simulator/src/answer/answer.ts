import { NO_TRAIL } from '../thinking/thought.js'
import type { CheckedRequest } from '../validate/check-request.js'
import type { Block, ContextEdit, Json } from '../wire.js'
import type { AnswerContext, ModelRun } from './model-run.js'
import { checkLength, type ReadPrompt, readPrompt } from './read-prompt.js'
import { runCompaction } from './run-compaction.js'
import { runModel } from './run-model.js'

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
  const read = readPrompt(request, backend)
  checkLength(request, read.prompt.tokens)
  const id = backend.newId('msg')
  const run = await chooseRun(request, read, context)
  return {
    id,
    blocks: run.blocks,
    stop: run.stop,
    stopSequence: run.stopSequence,
    details: run.details,
    iterations: run.iterations,
    searches: run.searches,
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
