import type { ModelTurn } from './model.js'
import { summaryRequest } from './summary/summary-request.js'

/** Whether a turn asks for a summary: the API's own compaction, or a client in its last words. */
export function asksForSummary(turn: ModelTurn): boolean {
  return turn.purpose === 'compaction' || summaryRequest(turn) !== undefined
}
