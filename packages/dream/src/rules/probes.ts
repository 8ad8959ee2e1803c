import { createRanker, type Id } from '@nacre/core'
import type { Memory } from '../memory/memory.js'
import type { Use } from '../memory/uses.js'
import type { Ledger } from './ledger.js'

/** A prompt of before that would no longer bring back what its answer made use of. */
export interface FailedProbe {
  readonly query: string
  readonly name: string
}

/** The newest prompts that are tried, and how far down a memory counts as found. */
const PROBES = 50
const TOP = 5

/**
 * Tries the prompts of the last sessions on the memories before and after a change, with the ranker that recall uses.
 * Gives those for which something that was cited has been found before and would not be found after.
 */
export function failedProbes(uses: readonly Use[], { before, after, fates }: Ledger): readonly FailedProbe[] {
  const probes = uses.filter(({ cited }) => cited.length > 0).slice(-PROBES)
  if (probes.length === 0) return []
  const [old, fresh] = [rankerOf(before.live.values()), rankerOf(after.live.values())]
  return probes.flatMap(({ query, cited }) => {
    const foundBefore = top(old, query)
    const foundAfter = top(fresh, query)
    return cited.flatMap((id): readonly FailedProbe[] => {
      const memory = before.live.get(id)
      if (!memory || !foundBefore.has(id)) return []
      const fate = fates.get(id)
      const now = fate && 'into' in fate ? fate.into : id
      return foundAfter.has(now) ? [] : [{ query, name: memory.name }]
    })
  })
}

/** A ranker over memories, each a text that stands alone. */
export function rankerOf(memories: Iterable<Memory>): ReturnType<typeof createRanker> {
  const ranker = createRanker()
  for (const memory of memories) ranker.add({ id: memory.id, text: rankedText(memory), group: memory.id })
  return ranker
}

/** What a memory is found by. */
export function rankedText({ name, description, body }: Memory): string {
  return `${name}. ${description}.\n${body}`
}

function top(ranker: ReturnType<typeof createRanker>, query: string): ReadonlySet<Id> {
  return new Set(ranker.rank(query, { limit: TOP }).map(({ id }) => id))
}
