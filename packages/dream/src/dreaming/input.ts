import { createRanker, type Id } from '@nacre/core'
import type { MemoryFolder } from '../folders/memory-folder.js'
import { readJson, writeState } from '../folders/state-files.js'
import type { Said } from '../logs/logs.js'
import type { DreamContext } from '../settings/context.js'
import { searchSaid } from '../tool/reader.js'

/** Positions in logs up to which dreams have read, by session. */
type Ranges = Readonly<Record<Id, Id>>

/** What a dream may read of the logs: all that no dream has read before, and never what memory itself has said. */
export interface DreamInput {
  readonly said: readonly Said[]
  /** A line for each session, for the prompt. */
  readonly sessions: readonly string[]
  search(query: string): string
  /** Writes down that it was read: no other dream takes it for evidence again. */
  claim(): Promise<void>
}

const RANGES = 'ranges.json'
/** As many sessions as one dream looks at; those behind them wait for the next. */
const MOST_SESSIONS = 100

export async function readInput(dream: DreamContext, folder: MemoryFolder): Promise<DreamInput> {
  const ranges = await readJson<Ranges>(folder.path, RANGES, {})
  const said: Said[] = []
  const sessions: string[] = []
  const upTo: Record<Id, Id> = {}
  for await (const { id, title } of dream.logs.sessions()) {
    if (sessions.length >= MOST_SESSIONS) break
    const all = (await dream.logs.said(id)) ?? []
    const start = all.findLastIndex(({ entry }) => entry === ranges[id]) + 1
    const fresh = all.slice(start)
    const last = all.at(-1)
    if (fresh.length === 0 || !last) continue
    said.push(...fresh)
    upTo[id] = last.entry
    sessions.push(`${id}: ${title.replace(/\s+/g, ' ').slice(0, 80)} (${fresh.length} entries)`)
  }
  const index = lazily(() => indexOf(said))
  return {
    said,
    sessions,
    search: (query) => searchSaid(index().ranker, index().entries, query),
    claim: () => writeState(folder.path, RANGES, { ...ranges, ...upTo }),
  }
}

function indexOf(said: readonly Said[]) {
  const ranker = createRanker()
  const entries = new Map<string, Said>()
  for (const each of said) {
    const id = `${each.session}/${each.entry}/${each.by}`
    entries.set(id, each)
    ranker.add({ id, text: each.text, speaker: each.by, group: each.session, time: each.time })
  }
  return { ranker, entries }
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
