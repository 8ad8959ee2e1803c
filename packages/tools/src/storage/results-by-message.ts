import type { Block, BlockRef, Draft, Id, Replace, ToolCall, View } from '@nacre/core'
import { oneAtATime } from '../async.js'
import { fitTexts, type ShrinkingText, withText } from './shrinking-text.js'

/** Which results of a conversation belong to one message. */
export interface ResultsByMessage {
  of(call: ToolCall): MessageResults
  /** An answer is whole: these are its calls. */
  answered(calls: readonly ToolCall[]): void
  /** Calls whose results have been judged by this process. */
  readonly judged: Set<Id>
}

/** Calls may end before the answer that makes them does: whatever the last answer did not ask for is of the next one. */
export function resultsByMessage(): ResultsByMessage {
  let asked: ReadonlySet<Id> = new Set()
  let current = createMessageResults()
  let next = createMessageResults()
  let early = new Map<Id, string>()
  return {
    judged: new Set(),
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

/** A result on its way into a message. */
export interface HeldResult {
  /** The call that it answers, as it was named when it ran. */
  readonly call: Id
  readonly text: ShrinkingText
  readonly content: readonly Block[]
}

/** The results of one message. They come in side by side and are judged one after the other. */
export interface MessageResults {
  /** Runs when no other result of the message is being judged. */
  inOrder<Result>(work: () => Promise<Result>): Promise<Result>
  /** Takes a result in and makes room for it; gives those that had to become shorter, itself perhaps included. */
  add(result: HeldResult, limit: number, mayChange: (result: HeldResult) => boolean): Promise<readonly HeldResult[]>
  /** Results that became shorter when they were on their way into the log, or in it. */
  readonly revised: Set<HeldResult>
  /** How calls are called that began in an answer that broke off, now that it is whole. */
  readonly names: Map<Id, Id>
}

function createMessageResults(): MessageResults {
  const held: HeldResult[] = []
  return {
    revised: new Set(),
    names: new Map(),
    inOrder: oneAtATime(),
    async add(result, limit, mayChange) {
      held.push(result)
      return fitTexts(held, limit, mayChange)
    },
  }
}

/** A result in the log, with the call that it answers. */
export interface LoggedResult {
  readonly call: ToolCall
  readonly target: BlockRef
  readonly block: Block
}

/** The results of the last answer: no answer has been given to them yet. */
export function openResults(view: View): readonly LoggedResult[] {
  const last = view.rounds.findLastIndex(({ entries }) => entries.some(({ kind }) => kind === 'assistant'))
  const entries = view.rounds.slice(Math.max(0, last)).flatMap((round) => round.entries)
  const answer = entries.findLastIndex(({ kind }) => kind === 'assistant')
  const calls = new Map(callsIn(entries[answer]?.content ?? []).map((call) => [call.id, call]))
  return entries.slice(answer + 1).flatMap(({ id, content }) =>
    content.flatMap((block, index): LoggedResult[] => {
      const call = block.type === 'tool_result' ? calls.get(block.tool_use_id as Id) : undefined
      return call ? [{ call, target: { entry: id, block: index }, block }] : []
    }),
  )
}

/** The calls of an answer. */
export function callsIn(content: readonly Block[]): readonly ToolCall[] {
  return content.flatMap(({ type, id, name, input }) => (type === 'tool_use' ? [{ id, name, input } as ToolCall] : []))
}

/**
 * The edit that shows results of the last answer in their shorter form. A result may be decided on before it is
 * logged, so what it changes is worked out when core looks at it: then all of them are there.
 */
export function revisionDraft(view: () => View, revised: () => Iterable<HeldResult>, nameOf: (call: Id) => Id): Draft {
  return {
    reason: 'results of one message that were too long',
    get changes() {
      const logged = new Map(openResults(view()).map((result) => [result.call.id, result]))
      return [...revised()].flatMap(({ call, content, text }): Replace[] => {
        const found = logged.get(nameOf(call))
        if (!found) return []
        const block = { ...found.block, content: withText(content, text.shown()) }
        return [{ kind: 'replace', target: found.target, content: [block] }]
      })
    },
  }
}
