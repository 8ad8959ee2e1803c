import type { Id, ToolCall } from '@nacre/core'
import { createMessageResults, type MessageResults } from './message-results.js'

/** Which results of a conversation belong to one message. */
export interface ResultsByMessage {
  of(call: ToolCall): MessageResults
  /** An answer is whole: these are its calls. */
  answered(calls: readonly ToolCall[]): void
}

/** Calls may end before the answer that makes them does: whatever the last answer did not ask for is of the next one. */
export function resultsByMessage(): ResultsByMessage {
  let asked: ReadonlySet<Id> = new Set()
  let current = createMessageResults()
  let next = createMessageResults()
  let early = new Map<Id, string>()
  return {
    of(call) {
      if (asked.has(call.id)) return current
      early.set(call.id, keyOf(call))
      return next
    },
    answered(calls) {
      for (const [id, name] of renamed(early, calls)) next.names.set(id, name)
      asked = new Set(calls.map(({ id }) => id))
      current = next
      next = createMessageResults()
      early = new Map()
    },
  }
}

/** What began in an answer that broke off is not run again: the same call of the whole answer has its result. */
function renamed(early: ReadonlyMap<Id, string>, calls: readonly ToolCall[]): [Id, Id][] {
  const free = calls.filter(({ id }) => !early.has(id))
  return [...early].flatMap(([id, key]): [Id, Id][] => {
    if (calls.some((call) => call.id === id)) return []
    const place = free.findIndex((call) => keyOf(call) === key)
    const [same] = place < 0 ? [] : free.splice(place, 1)
    return same ? [[id, same.id]] : []
  })
}

function keyOf({ name, input }: ToolCall): string {
  return `${name}\0${JSON.stringify(input)}`
}
