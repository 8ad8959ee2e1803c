import { characterStart } from '../text/format.js'
import type { Match, Matcher, Place } from './matchers.js'
import type { RecallSearch } from './recall-input.js'
import { describeEntry, type RecalledEntry, searchedText } from './recalled-entry.js'

/** An entry that was found, with a piece of it. */
interface Hit {
  readonly entry: RecalledEntry
  readonly score: number
  readonly order: number
  readonly excerpt: string
  readonly uses: number
}

interface Found {
  /** One page, best first. */
  readonly hits: readonly Hit[]
  readonly total: number
  /** Found too, but left out: still whole in view, or taken back. */
  readonly inView: number
  readonly takenBack: number
}

/** Characters that are looked at in one go. */
const BATCH = 200_000
const EXCERPT = 600
const MIN_EXCERPT = 120
/** What counts for more between texts that fit as well. */
const WEIGHTS: Readonly<Record<RecalledEntry['role'], number>> = { user: 1.5, assistant: 1.1, tool: 1, note: 0.7 }
const TAKEN_BACK = 0.2

/** Looks through entries as they come and keeps no more than the page that was asked for. */
export async function searchLog(
  entries: AsyncIterable<RecalledEntry>,
  matcher: Matcher,
  search: RecallSearch,
): Promise<Found> {
  const page = keepBest(search.offset + search.limit)
  const left = { inView: 0, takenBack: 0 }
  const size = Math.max(MIN_EXCERPT, Math.min(EXCERPT, Math.floor(search.characters / search.limit)))
  let total = 0
  let order = 0
  for await (const batch of batches(entries, search)) {
    const matches = matcher(batch.map(({ entry, text }) => ({ id: entry.id, text })))
    for (const [index, { entry, text, leftOut }] of batch.entries()) {
      const match = matches[index]
      order += 1
      if (!match) continue
      if (leftOut) left[leftOut] += 1
      else {
        total += 1
        page.add(hitOf(entry, text, match, { order, size, isRanked: search.wanted.by === 'query' }))
      }
    }
  }
  return { hits: page.hits().slice(search.offset), total, ...left }
}

interface Searched {
  readonly entry: RecalledEntry
  readonly text: string
  readonly leftOut?: 'inView' | 'takenBack'
}

async function* batches(
  entries: AsyncIterable<RecalledEntry>,
  { role, scope }: RecallSearch,
): AsyncIterable<readonly Searched[]> {
  let batch: Searched[] = []
  let length = 0
  for await (const entry of entries) {
    if (role !== undefined && entry.role !== role) continue
    const found = searched(entry, scope)
    if (found.text === '') continue
    batch.push(found)
    length += found.text.length
    if (length < BATCH) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

function searched(entry: RecalledEntry, scope: RecallSearch['scope']): Searched {
  const all = () => searchedText(entry, 'all')
  if (scope === 'all') return { entry, text: all() }
  if (entry.isTakenBack) return { entry, text: all(), leftOut: 'takenBack' }
  const hidden = searchedText(entry, 'hidden')
  return hidden === '' ? { entry, text: all(), leftOut: 'inView' } : { entry, text: hidden }
}

interface HitOptions {
  readonly order: number
  readonly size: number
  readonly isRanked: boolean
}

/** Of the entry only what is told of it: its texts are not held. */
function hitOf(entry: RecalledEntry, text: string, { score, places }: Match, options: HitOptions): Hit {
  const { order, size, isRanked } = options
  const weight = (isRanked ? WEIGHTS[entry.role] : 1) * (entry.isTakenBack ? TAKEN_BACK : 1)
  const parts = entry.parts.map((part) => ({ ...part, text: '' }))
  return {
    entry: { ...entry, parts },
    score: score * weight,
    order,
    excerpt: excerpt(text, places, size),
    uses: places.length,
  }
}

/** The best so far, the newest first among equals. */
function keepBest(most: number) {
  let kept: Hit[] = []
  const sort = () => {
    kept = kept.sort((a, b) => b.score - a.score || b.order - a.order).slice(0, most)
  }
  return {
    add(hit: Hit) {
      kept.push(hit)
      if (kept.length >= most * 2 + 100) sort()
    },
    hits(): readonly Hit[] {
      sort()
      return kept
    },
  }
}

/** A text around the places found in it, in about so many characters; cuts are marked. */
function excerpt(text: string, places: readonly Place[], size: number): string {
  const [first] = places
  if (!first || text.length <= size) return text.slice(0, characterStart(text, size))
  const found = Math.min(first[1] - first[0], size)
  const before = Math.floor((size - found) / 3)
  const start = characterStart(text, Math.max(0, Math.min(first[0] - before, text.length - size)))
  const end = characterStart(text, Math.min(text.length, start + size))
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

/** A page of hits as the model reads it, within the characters asked for: at least one, and how to get the next. */
export function formatHits({ hits, total, inView, takenBack }: Found, search: RecallSearch): string {
  const { offset, characters, scope } = search
  const others = scope === 'all' ? '' : leftOut(inView, takenBack)
  if (hits.length === 0) return [none(total, offset, search), others].filter((text) => text !== '').join(' ')
  const shown: string[] = []
  let used = 0
  for (const hit of hits) {
    const text = formatHit(hit)
    used += text.length + 2
    if (shown.length > 0 && used > characters) break
    shown.push(shown.length === 0 ? text.slice(0, characterStart(text, characters)) : text)
  }
  const end = offset + shown.length
  const next = end < total ? ` Go on with offset ${end}.` : ''
  const head = `${total} ${total === 1 ? 'entry' : 'entries'} found, ${offset + 1}-${end} shown.${next}${others && ` ${others}`}`
  return [head, ...shown, 'Read one whole by its id.'].join('\n\n')
}

/** Each line of what was found is marked, so that none of it passes for a hit. */
function formatHit({ entry, excerpt, uses }: Hit): string {
  const times = uses > 1 ? ` · ${uses} places` : ''
  const lines = excerpt.split(/\r\n|[\n\r\u2028\u2029\u0085]/).map((line) => `| ${line}`)
  return [`[${entry.id}] ${describeEntry(entry)}${times}`, ...lines].join('\n')
}

function none(total: number, offset: number, { wanted }: RecallSearch): string {
  if (total > 0) return `There are ${total} hits only; offset ${offset} is behind the last.`
  const hint = { query: 'Try fewer or other words.', regex: 'Try query with words.', anchor: 'Try query.', role: '' }
  return `Nothing found. ${hint[wanted.by]}`.trim()
}

function leftOut(inView: number, takenBack: number): string {
  const parts = [
    ...(inView > 0 ? [`${inView} still whole in view`] : []),
    ...(takenBack > 0 ? [`${takenBack} taken back by the user`] : []),
  ]
  return parts.length === 0 ? '' : `Left out: ${parts.join(', ')} (scope all has them).`
}
