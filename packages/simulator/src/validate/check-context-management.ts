import { invalid } from '../api-error.js'
import type { MessagesBody } from '../wire.js'

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
