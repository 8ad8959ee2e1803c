import { describeEntry } from './describe-entry.js'
import { whole } from './excerpt.js'
import type { RecallSearch } from './recall-input.js'
import type { Found, Hit } from './search-log.js'

/** A page of hits as the model reads it, within the characters asked for: at least one, and how to get the next. */
export function wordHits({ hits, total, inView, takenBack }: Found, search: RecallSearch): string {
  const { offset, characters, scope } = search
  const others = scope === 'all' ? '' : leftOut(inView, takenBack)
  if (hits.length === 0) return [none(total, offset, search), others].filter((text) => text !== '').join(' ')
  const shown: string[] = []
  let used = 0
  for (const hit of hits) {
    const text = wordHit(hit)
    used += text.length + 2
    if (shown.length > 0 && used > characters) break
    shown.push(shown.length === 0 ? text.slice(0, whole(text, characters)) : text)
  }
  const end = offset + shown.length
  const next = end < total ? ` Go on with offset ${end}.` : ''
  const head = `${total} ${total === 1 ? 'entry' : 'entries'} found, ${offset + 1}-${end} shown.${next}${others && ` ${others}`}`
  return [head, ...shown, 'Read one whole by its id.'].join('\n\n')
}

/** Each line of what was found is marked, so that none of it passes for a hit. */
function wordHit({ entry, excerpt, uses }: Hit): string {
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
