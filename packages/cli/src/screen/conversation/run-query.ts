import type { SessionEvent } from '@nacre/core'
import { endLines } from '../show/end-lines.js'
import type { ConversationParts } from './conversation-parts.js'
import type { Seat } from './seat.js'

/** Works on a prompt to its end; gives whether something is left unanswered. What the session tells is shown elsewhere. */
export async function runQuery(
  { opened }: Seat,
  prompt: string | undefined,
  signal: AbortSignal,
  { store, terminal }: ConversationParts,
): Promise<boolean> {
  let end: Extract<SessionEvent, { readonly type: 'end' }> | undefined
  for await (const event of opened.session.query(prompt, { signal })) if (event.type === 'end') end = event
  if (!end) return false
  const lines = endLines(end, terminal.stdout.columns || 80)
  if (lines.length > 0) store.print(lines)
  return end.reason === 'error' || end.reason === 'aborted'
}
