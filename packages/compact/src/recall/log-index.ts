import { createRanker, type Entry, type Id } from '@nacre/core'
import { type RecalledEntry, searchedText } from './recalled-entry.js'

/** Ranks the entries of one log. It is kept from call to call, and takes in only what is new or was redacted since. */
export interface LogIndex {
  /** A walk through the log from its beginning, entry by entry. */
  startWalk(): { pass(entry: RecalledEntry): void }
  /** The scores of the entries that have words of the query. */
  rank(query: string): ReadonlyMap<Id, number>
}

/** More of one entry is not taken in: it is still found to the letter. */
const CHARACTERS = 200_000

function createLogIndex(): LogIndex {
  const ranker = createRanker()
  const known = new Map<Id, number>()
  return {
    startWalk() {
      /** A prompt and what came of it stand together. */
      let prompt = ''
      return {
        pass(entry) {
          if (entry.role === 'user') prompt = entry.id
          const text = searchedText(entry, 'all').slice(0, CHARACTERS)
          const mark = markOf(text)
          if (known.get(entry.id) === mark) return
          known.set(entry.id, mark)
          if (text === '') return ranker.remove(entry.id)
          ranker.add({ id: entry.id, text, speaker: entry.role, group: prompt, time: entry.time })
        },
      }
    },
    rank: (query) =>
      new Map(
        ranker
          .rank(query, { limit: Number.POSITIVE_INFINITY, user: 'user' })
          .flatMap(({ id, share, score }) => (share > 0 ? [[id, score] as const] : [])),
      ),
  }
}

/** A number that is another one for another text. */
function markOf(text: string): number {
  let mark = text.length
  for (let index = 0; index < text.length; index++) mark = (Math.imul(mark, 31) + text.charCodeAt(index)) | 0
  return mark
}

/** The index of the log that was asked last: a tool is asked about one session, most often. */
export function keepLogIndex(): (first: Entry | undefined) => LogIndex {
  let kept: { readonly log: Id | undefined; readonly index: LogIndex } | undefined
  return (first) => {
    if (kept?.log !== first?.id) kept = undefined
    kept ??= { log: first?.id, index: createLogIndex() }
    return kept.index
  }
}
