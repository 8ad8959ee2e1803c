import type { Entry, SessionSummary } from '@nacre/core'

/** A session in a list: the title that it was given, or its first prompt. A log without entries is none. */
export function summaryOf(id: string, entries: readonly Entry[]): SessionSummary | undefined {
  const last = entries.at(-1)
  if (!last) return undefined
  const given = entries.findLast(({ kind, ...entry }) => kind === 'state' && 'key' in entry && entry.key === 'title')
  const prompt = entries.find((entry) => entry.kind === 'user' && !entry.isMeta)
  const title = given?.kind === 'state' ? String(given.value) : prompt?.kind === 'user' ? textOf(prompt.content) : ''
  return { id, title: [...title.replace(/\s+/g, ' ')].slice(0, 80).join('').trim(), time: last.time }
}

function textOf(content: readonly { readonly type: string; readonly text?: unknown }[]): string {
  return String(content.find(({ type }) => type === 'text')?.text ?? '')
}
