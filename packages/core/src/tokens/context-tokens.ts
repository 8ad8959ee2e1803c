import { promptTokens } from '../cost/usage.js'
import type { Change, Edit } from '../log/edit.js'
import type { AssistantEntry, Id } from '../log/entry.js'
import type { Place, Timeline } from '../log/timeline.js'
import type { Erasing, Rendering } from '../request/renderer.js'
import type { Conversation } from '../session/conversation.js'
import { estimateEpoch } from './estimate-epoch.js'
import { USER_TURN_TOKENS } from './turn-tokens.js'

export interface ContextTokens {
  readonly total: number
  /** The part of the total that nobody has counted yet. */
  readonly estimated: number
}

/**
 * The size of the view. What the API counted for the last response is exact; what came after it is estimated, and what
 * edits took out before it since then is taken off by estimate. A fold from the start leaves nothing that was counted.
 */
export function contextTokens(
  conversation: Conversation,
  tokens: (estimate: number) => number,
  erasing?: Erasing,
): ContextTokens {
  const rendering = conversation.rendering()
  const counted = lastCounted(conversation)
  const after = counted && tokensAfter(rendering, counted.entry.id)
  if (!counted || after === undefined) {
    const total = tokens(rendering.tokens + estimateEpoch(conversation.epoch()))
    return { total, estimated: total }
  }
  const { usage } = counted.entry
  const freed = freedBefore(conversation.projection.timeline, counted.ordinal, erasing)
  const since = after === 0 ? 0 : after + USER_TURN_TOKENS
  const change = since >= freed ? tokens(since - freed) : -tokens(freed - since)
  const total = Math.max(0, promptTokens(usage) + usage.output + change)
  return { total, estimated: Math.abs(change) }
}

/** The last response in view, unless all before it has been folded since. */
function lastCounted({ projection }: Conversation): Place<AssistantEntry> | undefined {
  const { segments, timeline } = projection
  for (let index = segments.length - 1; index >= 0; index--) {
    const entry = segments[index]?.round?.entries.findLast((each) => each.kind === 'assistant')
    if (!entry) continue
    const place = timeline.place(entry.id) as Place<AssistantEntry>
    const start = segments[0]?.span
    const isFolded = start?.change.kind === 'fold' && start.ordinal > place.ordinal
    return isFolded || promptTokens(place.entry.usage) === 0 ? undefined : place
  }
  return undefined
}

/** Estimated tokens behind a response; it is among the last messages. */
function tokensAfter(rendering: Rendering, response: Id): number | undefined {
  for (let index = rendering.length - 1; index >= 0; index--) {
    const message = rendering.at(index)
    if (message?.role !== 'assistant') continue
    return message.blocks.some(({ ref }) => ref?.entry === response) ? rendering.tokens - message.tokens : undefined
  }
  return undefined
}

/** What edits after a place took out of what stands before it. */
function freedBefore(timeline: Timeline, ordinal: number, erasing: Erasing | undefined): number {
  let freed = 0
  for (let index = timeline.edits.length - 1; index >= 0; index--) {
    const { ordinal: own, entry } = timeline.edits[index] as Timeline['edits'][number]
    if (own < ordinal) break
    if (startsOf(entry, timeline, erasing).some((id) => (timeline.place(id)?.ordinal ?? 0) <= ordinal)) {
      freed += entry.price.freed
    }
  }
  return freed
}

/** Where the changes of an edit begin. */
function startsOf(edit: Edit, timeline: Timeline, erasing: Erasing | undefined): readonly Id[] {
  return edit.changes.flatMap((change) => startOf(change, edit.id, timeline, erasing))
}

function startOf(change: Change, edit: Id, timeline: Timeline, erasing: Erasing | undefined): Id | readonly Id[] {
  switch (change.kind) {
    case 'replace':
      return change.target.entry
    case 'erase':
      // A deletion weighs where it stands, what is named where it is left out.
      return erasing === 'deleted' ? edit : change.target.entry
    case 'fold':
    case 'drop':
      return change.span.from
    case 'revert': {
      const reverted = timeline.place(change.edit)?.entry
      return reverted?.kind === 'edit' ? startsOf(reverted, timeline, erasing) : []
    }
    case 'insert':
      // Notes stand behind everything.
      return []
  }
}
