import type { Block, Edit, Entry, MessageEntry } from '../../src/types/log.js'

export interface PlainMessage {
  readonly role: string
  readonly content: readonly Block[]
}

/** What is illegal in a request, told without any code of the runtime. */
export function illegalities(messages: readonly PlainMessage[]): string[] {
  const problems: string[] = []
  if (messages.length && messages[0]?.role !== 'user') problems.push("the first message is not the user's")
  const seen = new Set<unknown>()
  const known = new Set<unknown>()
  messages.forEach((message, index) => {
    const before = messages[index - 1]
    const after = messages[index + 1]
    if (message.content.length === 0) problems.push(`message ${index} is empty`)
    if (before?.role === message.role) problems.push(`message ${index} has the role of the one before it`)
    for (const block of message.content) {
      if (block.type === 'text' && String(block.text).trim() === '') problems.push(`message ${index} has empty text`)
    }
    if (message.role === 'system' && (before?.role !== 'user' || (after && after.role !== 'assistant'))) {
      problems.push(`message ${index} is a system message in a place where none may be`)
    }
    const calls = message.content.filter((block) => block.type === 'tool_use').map((block) => block.id)
    for (const id of calls) {
      if (message.role !== 'assistant') problems.push(`call ${id} is not the assistant's`)
      if (seen.has(id)) problems.push(`call ${id} is there twice`)
      seen.add(id)
    }
    const next = after?.role === 'user' ? after.content : []
    const firstOther = next.findIndex((block) => block.type !== 'tool_result')
    const answered = (firstOther === -1 ? next : next.slice(0, firstOther)).map((block) => block.tool_use_id)
    if (JSON.stringify(answered) !== JSON.stringify(calls))
      problems.push(`the calls of message ${index} are not answered in order`)
    const results = message.content.filter((block) => block.type === 'tool_result')
    for (const { tool_use_id } of results) known.add(tool_use_id)
    for (const { edits = [] } of message.content) {
      for (const { cache_reference } of edits as { cache_reference: string }[]) {
        if (!known.delete(cache_reference))
          problems.push(`message ${index} deletes ${cache_reference}, which is not there`)
      }
    }
    if (results.length && before?.role !== 'assistant') problems.push(`message ${index} answers nobody`)
    const lastCalls = new Set(before?.content.filter((block) => block.type === 'tool_use').map((block) => block.id))
    for (const { tool_use_id } of results)
      if (!lastCalls.has(tool_use_id)) problems.push(`result ${tool_use_id} has no call`)
  })
  return problems
}

/** Which messages of a log are seen, worked out entry by entry instead of by rounds and segments. */
export function visibleEntries(log: readonly Entry[]): MessageEntry[] {
  const isAlive = (edit: Edit): boolean =>
    !log.some(
      (other) =>
        other.kind === 'edit' && other.changes.some((c) => c.kind === 'revert' && c.edit === edit.id) && isAlive(other),
    )
  const hidden = new Set<number>()
  const position = new Map(log.map((entry, index) => [entry.id, index]))
  for (const entry of log) {
    if (entry.kind !== 'edit' || !isAlive(entry)) continue
    for (const change of entry.changes) {
      if (change.kind !== 'fold' && change.kind !== 'drop') continue
      const end = position.get(change.span.to) ?? -1
      for (let index = position.get(change.span.from) ?? 0; index <= end; index++) hidden.add(index)
    }
  }
  return log.filter(
    (entry, index): entry is MessageEntry =>
      (entry.kind === 'user' || entry.kind === 'assistant') && !hidden.has(index),
  )
}
