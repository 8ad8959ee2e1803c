import type { MessageEntry } from '@nacre/core'

/** Whether a person said it: neither a result of a call nor words of the runtime. */
export function isPrompt(entry: MessageEntry): boolean {
  return entry.kind === 'user' && !entry.isMeta && entry.content.some(({ type }) => type !== 'tool_result')
}
