import { editPlace, type Item, itemsOf } from './edit-place.js'
import type { Played, StagedRequest } from './play.js'
import type { CheckName, EntryLike, Problem } from './types.js'

/** Every error of the API that no fault stands behind. */
export function accepted({ requests }: Played): readonly Problem[] {
  const refused = requests.filter(({ status, isStruck }) => status >= 400 && !isStruck)
  return refused.map(({ status, error, source, step }) => {
    return {
      check: 'accepted',
      step,
      detail: `a request of ${source} was answered with ${status}: ${messageOf(error)}`,
    }
  })
}

function messageOf(error: string): string {
  try {
    return (JSON.parse(error) as { error: { message: string } }).error.message
  } catch {
    return error
  }
}

/** Looks for the prompt of a step in each of its requests, whole and in the words of the person. */
export function lastPrompt({ act, requests }: Played): readonly Problem[] {
  const missing = mainRequests(requests).filter((request) => {
    const step = act.plan.steps[request.step]
    return step?.kind === 'ask' && !userTexts(request).some((text) => text.includes(step.prompt))
  })
  return missing.map(({ step }) => ({ check: 'last-prompt', step, detail: 'a request is without it' }))
}

function userTexts(request: StagedRequest): readonly string[] {
  return itemsOf(request).flatMap(({ role, block }) =>
    role === 'user' && block.type === 'text' ? [String(block.text)] : [],
  )
}

/** Compares each request with the one before it, up to the first place that an edit in between was allowed to change. */
export function frozenPrefix(played: Played): readonly Problem[] {
  const problems: Problem[] = []
  let previous: StagedRequest | undefined
  for (const request of mainRequests(played.requests)) {
    const detail = previous && brokenPrefix(played, previous, request)
    if (detail !== undefined) problems.push({ check: 'frozen-prefix', step: request.step, detail })
    previous = request
  }
  return problems
}

function brokenPrefix({ entries }: Played, before: StagedRequest, after: StagedRequest): string | undefined {
  const [items, now] = [itemsOf(before), itemsOf(after)]
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

/**
 * Every edit of the plugin that changes what a request has carried already. What it makes of a result before it is
 * sent may be larger than the result, and so may what it takes back.
 */
export function neverGrows({ entries, requests }: Played, owners: ReadonlySet<string>): readonly Problem[] {
  const sent = mainRequests(requests)
  const places = new Map(entries.map(({ id }, index) => [id, index]))
  return entries.flatMap((edit, index): readonly Problem[] => {
    if (edit.kind !== 'edit' || !owners.has(edit.owner ?? '') || (edit.price?.freed ?? 0) >= 0) return []
    const before = sent.findLast(({ logged }) => logged <= index)
    const wasSent = (id: string | undefined) => (places.get(id ?? '') ?? index) < (before?.logged ?? 0)
    if (!isRelief(edit, wasSent)) return []
    const step = before?.step ?? 0
    const kinds = edit.changes?.map(({ kind }) => kind).join(', ')
    const added = Math.ceil(-(edit.price?.freed ?? 0))
    return [{ check: 'never-grows', step, detail: `an edit (${kinds}) adds ${added} tokens` }]
  })
}

function isRelief({ changes = [] }: EntryLike, wasSent: (entry: string | undefined) => boolean): boolean {
  if (changes.some(({ kind }) => kind === 'revert')) return false
  return changes.some(({ kind, target, span }) => kind !== 'insert' && wasSent(target?.entry ?? span?.from))
}

/** What nobody has stopped or spoilt comes to its end, whatever happened before it. */
export function goesOn({ ends }: Played): readonly Problem[] {
  const stuck = ends.filter(({ reason, isDisturbed }) => !isDisturbed && reason !== 'done')
  return stuck.map(({ step, reason, error }) => {
    return { check: 'goes-on', step, detail: `the query ended with '${reason}'${error && `: ${error}`}` }
  })
}

/** What the session had to report of the plugin: that it could not be disposed, and in a calm conversation any failure. */
export function reports({ reports: all }: Played, names: ReadonlySet<string>, isCalm: boolean): readonly Problem[] {
  return all.flatMap(({ plugin = '', isOfDispose, step, message }): readonly Problem[] => {
    if (!names.has(plugin)) return []
    if (isOfDispose) return [{ check: 'disposes', step, detail: message }]
    return isCalm ? [{ check: 'hooks-hold', step, detail: message }] : []
  })
}

/** Switched off while the session runs, a plugin writes nothing more into the log. */
export function quietWhenOff({ act, entries, loggedWhenOff }: Played, owners: ReadonlySet<string>): readonly Problem[] {
  const late = entries.slice(loggedWhenOff ?? entries.length).filter(({ owner = '' }) => owners.has(owner))
  return late.slice(0, 1).map(({ kind, changes, key }) => {
    const what = changes ? `an edit (${changes.map((change) => change.kind).join(', ')})` : `${kind} ${key ?? ''}`
    return {
      check: 'off-adds-nothing',
      step: act.off?.from ?? 0,
      detail: `it was switched off, and then wrote ${what}`,
    }
  })
}

/** As a play gives them out. */
const ENTRY_ID = /\bentry-\d+-\d+\b/g
const SIGNATURE = /"signature":"[^"]*"/

/**
 * The first request in which two plays of one conversation differ. `aside`: marks may stand elsewhere, and an entry is
 * known by its place among those of its kind, since the runtime's own notes to itself may shift the ids.
 */
export function sameRequests(
  check: CheckName,
  expected: Played,
  actual: Played,
  { aside = false, why }: { readonly aside?: boolean; readonly why: string },
): readonly Problem[] {
  const [wanted, given] = [mainRequests(expected.requests), mainRequests(actual.requests)]
  for (let index = 0; index < Math.max(wanted.length, given.length); index++) {
    const [one, other] = [wanted[index], given[index]]
    const step = other?.step ?? one?.step ?? 0
    if (!one || !other) {
      return [{ check, step, detail: `${why}: ${given.length} requests instead of ${wanted.length}` }]
    }
    const detail = aside
      ? firstDifference(texts(one, expected), texts(other, actual))
      : firstDifference([one.body], [other.body])
    if (detail !== undefined) return [{ check, step, detail: `${why}: request ${index} differs, ${detail}` }]
  }
  return []
}

function firstDifference(one: readonly string[], other: readonly string[]): string | undefined {
  const place = Array.from({ length: Math.max(one.length, other.length) }).findIndex(
    (_, index) => one[index] !== other[index],
  )
  return place < 0 ? undefined : describeDifference(one[place], other[place])
}

function texts(request: StagedRequest, { entries }: Played): readonly string[] {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const { id, kind } of entries) {
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    names.set(id, `${kind} ${counts.get(kind)}`)
  }
  // The server signs what it read, ids included.
  const named = ({ text }: Item) => text.replace(SIGNATURE, '').replace(ENTRY_ID, (id) => names.get(id) ?? id)
  return itemsOf(request).map(named)
}

const SHOWN = 80
const BEFORE = 20

/** Shows two texts from shortly before the place where they part. */
function describeDifference(one = '(nothing)', other = '(nothing)'): string {
  let same = 0
  while (same < one.length && one[same] === other[same]) same += 1
  return `${excerpt(one, same)} became ${excerpt(other, same)}`
}

function excerpt(text: string, place: number): string {
  const start = Math.max(0, place - BEFORE)
  const shown = text.slice(start, start + SHOWN)
  return `«${start > 0 ? '…' : ''}${shown}${start + SHOWN < text.length ? '…' : ''}»`
}

/** Those of the conversation itself, without what is asked or counted beside it. */
function mainRequests(requests: readonly StagedRequest[]): readonly StagedRequest[] {
  return requests.filter(({ source, path }) => source === 'main' && /^\/v1\/messages(\?|$)/.test(path))
}
