import type { Source } from '@nacre/core'

const NAMES: Readonly<Record<string, string>> = { session_memory: 'notes', extract: 'memory', dream: 'dream' }

/** What people call work beside the conversation. */
export function taskName(source: Source): string {
  return NAMES[source] ?? source.replace(/^agent:/, '')
}
