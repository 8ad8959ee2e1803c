import type { Played, StagedRequest } from '../act.js'
import { describeDifference } from '../describe-difference.js'
import { editPlace } from '../edit-place.js'
import type { Problem } from '../finding.js'
import { type Item, itemsOf } from '../items.js'
import { mainRequests } from '../main-requests.js'

/** Compares each request with the one before it, up to the first place that an edit in between was allowed to change. */
export function frozenPrefix(played: Played): readonly Problem[] {
  const problems: Problem[] = []
  let previous: { readonly request: StagedRequest; readonly items: readonly Item[] } | undefined
  for (const request of mainRequests(played.requests)) {
    const items = itemsOf(request)
    const detail = previous && difference(played, previous.request, previous.items, request, items)
    if (detail !== undefined) problems.push({ check: 'frozen-prefix', step: request.step, detail })
    previous = { request, items }
  }
  return problems
}

function difference(
  { entries }: Played,
  before: StagedRequest,
  items: readonly Item[],
  after: StagedRequest,
  now: readonly Item[],
): string | undefined {
  const log = entries.slice(0, before.logged)
  const between = entries.slice(before.logged, after.logged)
  const sent = { items, log, edits: entries.filter(({ kind }) => kind === 'edit') }
  const edits = between.filter(({ kind }) => kind === 'edit')
  const isAnswered = between.some(({ kind }) => kind === 'assistant')
  const isSame = !between.some(({ kind }) => kind === 'user' || kind === 'edit')
  // A turn that is still open may grow at its end, and what stands at its end moves.
  const open = isAnswered || isSame ? items.length : items.findLastIndex(({ role }) => role === 'assistant') + 1
  const frozen = Math.min(Math.max(open, firstMessage(items)), ...edits.map((edit) => editPlace(edit, sent)))
  const place = items.slice(0, frozen).findIndex((item, index) => item.text !== now[index]?.text)
  if (place < 0) return undefined
  const owners = [...new Set(edits.map(({ owner }) => owner))].join(', ')
  const why = edits.length > 0 ? `the edits in between, of ${owners}, begin later` : 'no edit was made in between'
  return `item ${place} of ${items.length} changed, though ${why}: ${describeDifference(items[place]?.text, now[place]?.text)}`
}

function firstMessage(items: readonly Item[]): number {
  return items.findIndex(({ level }) => level === 'messages')
}
