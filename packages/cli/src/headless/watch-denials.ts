import type { Session } from '@nacre/core'
import { type Call, callsOf } from './calls-of.js'
import type { Denier } from './deny-calls.js'
import type { Denial } from './schema/result-schema.js'

/**
 * Collects calls that were kept from running. No event tells of them: they are the calls of an answer that never start
 * and have a result when the next turn begins.
 */
export function watchDenials(session: Session, denier: Pick<Denier, 'rule'>): Watch {
  const denials: Denial[] = []
  const waiting = new Map<string, Call>()
  const settle = () => {
    for (const [id, reason] of waiting.size > 0 ? resultsIn(session) : []) {
      const call = waiting.get(id)
      if (call) denials.push({ tool: call.name, input: call.input, reason, rule: denier.rule(id) })
      waiting.delete(id)
    }
  }
  const stops = [
    session.events.on('response', ({ entry }) => {
      for (const call of callsOf(entry.content)) waiting.set(call.id, call)
    }),
    session.events.on('tool-end', ({ call }) => waiting.delete(call.id)),
    session.events.on('turn-start', settle),
    session.events.on('end', settle),
  ]
  return {
    denials,
    stop: () => {
      for (const stop of stops) stop()
    },
  }
}

interface Watch {
  readonly denials: readonly Denial[]
  stop(): void
}

/** Results of calls by the id of the call, the latest last. */
function resultsIn(session: Session): ReadonlyMap<string, string> {
  const blocks = session.view().rounds.flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  const results = blocks.filter(({ type }) => type === 'tool_result')
  return new Map(results.map(({ tool_use_id, content }) => [String(tool_use_id), textIn(content)]))
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return String(content ?? '')
  return content.map((block: { readonly text?: unknown }) => String(block.text ?? '')).join('')
}
