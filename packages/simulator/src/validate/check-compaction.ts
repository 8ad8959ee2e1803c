import { digest } from '../measure/digest.js'
import { isForced, type ModelSpec } from '../models/model-spec.js'
import { changesDigest, type Seals } from '../thinking/signatures.js'
import { invalid } from '../wire/api-error.js'
import { BETA } from '../wire/betas.js'
import { type Conversation, type MessagesBody, type Part, pathOf, type Turn } from '../wire/messages.js'

/** A request for a summary takes no settings that shape another kind of answer, and no open calls. */
export function checkCompactionRequest(body: MessagesBody, turns: readonly Turn[], spec: ModelSpec): void {
  if (!body.compaction) return
  if (!spec.onDemandCompaction) throw invalid('compaction: this parameter is not supported for this model')
  const clash = body.context_management
    ? 'context_management'
    : body.stop_sequences?.length
      ? 'stop_sequences'
      : body.output_config?.format
        ? 'output_config.format'
        : isForced(body)
          ? 'tool_choice'
          : hasRemainingBudget(body)
            ? 'output_config.task_budget.remaining'
            : undefined
  if (clash) throw invalid(`${clash}: this parameter can not be combined with compaction`)
  if (turns.every((turn) => turn.parts.every((part) => part.block.type === 'compaction'))) {
    throw invalid('compaction: there is nothing to summarize', { code: 'compaction_nothing_to_summarize' })
  }
  const last = turns.at(-1)
  if (last?.role === 'assistant' && last.parts.some((part) => part.block.type === 'tool_use')) {
    throw invalid('compaction: the last assistant turn has a `tool_use` without a `tool_result`', {
      code: 'compaction_incomplete_turn',
    })
  }
}

function hasRemainingBudget(body: MessagesBody): boolean {
  const budget = (body.output_config as { task_budget?: { remaining?: number | null } } | null)?.task_budget
  return budget?.remaining != null
}

/** Where summaries may stand, and that signed ones come back as they were given. */
export function checkCompactionBlocks({ parts, kinds }: Conversation, betas: ReadonlySet<string>, seals: Seals): void {
  if (!kinds.has('compaction')) return
  const blocks = parts.filter(({ block }) => block.type === 'compaction')
  const first = blocks[0] as Part
  const isThreshold = betas.has(BETA.thresholdCompaction)
  if (!isThreshold && !betas.has(BETA.onDemandCompaction)) {
    throw invalid(`${pathOf(first)}: \`compaction\` blocks require anthropic-beta: ${BETA.onDemandCompaction}`)
  }
  for (const part of blocks) {
    if (part.block.content === '') throw invalid(`${pathOf(part)}.compaction.content: must not be empty`)
    if (part.block.signature == null && !isThreshold) {
      throw invalid(`${pathOf(part)}.compaction.signature: Field required`, {
        code: 'compaction_signature_invalid',
      })
    }
  }
  const signed = blocks.filter(({ block }) => block.signature != null)
  if (signed.length > 0) checkSigned(signed, parts, seals)
}

function checkSigned(signed: readonly Part[], parts: readonly Part[], seals: Seals): void {
  const first = signed[0] as Part
  if (signed.length > 1) {
    throw invalid(`${pathOf(signed[1] as Part)}: exactly one \`compaction\` block may be sent`, {
      code: 'compaction_block_ambiguous',
    })
  }
  if (parts[0] !== first) {
    throw invalid(
      `${pathOf(first)}: \`compaction\` block must be sent first, in place of the messages it summarizes; remove those messages`,
      { code: 'compaction_block_misplaced' },
    )
  }
  const made = seals.compacted.open(first.block.signature as string)
  if (!made) {
    throw invalid(`${pathOf(first)}: Invalid \`signature\` in \`compaction\` block`, {
      code: 'compaction_signature_invalid',
    })
  }
  if (made.summary !== digest(String(first.block.content))) {
    throw invalid(`${pathOf(first)}: the content of the \`compaction\` block differs from the one that was signed`, {
      code: 'compaction_content_mismatch',
    })
  }
  if (made.changes !== changesDigest(first.block.tool_changes)) {
    throw invalid(`${pathOf(first)}: the \`tool_changes\` of the \`compaction\` block differ from those it came with`, {
      code: 'compaction_tool_changes_mismatch',
    })
  }
}

/** Thinking is cleared before tool results, so that each edit sees what the one before it left. */
export function checkContextManagement(body: MessagesBody): void {
  const edits = body.context_management?.edits ?? []
  const thinking = edits.findIndex((edit) => edit.type === 'clear_thinking_20251015')
  if (thinking > 0) {
    throw invalid(`context_management.edits.${thinking}: \`clear_thinking_20251015\` must be the first edit`)
  }
  for (const [index, { type }] of edits.entries()) {
    if (edits.findIndex((edit) => edit.type === type) < index) {
      throw invalid(`context_management.edits.${index}: \`${type}\` may be given once only`)
    }
  }
}
