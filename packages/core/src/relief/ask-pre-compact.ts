import type { CompactEvent } from '../contract/hooks.js'
import type { ReliefParts } from './relief-parts.js'

/** What handlers ask of a compaction, or why one of them wants none. */
export interface PreCompactAnswer {
  readonly instructions: readonly string[]
  readonly veto?: string
}

/** Asks `PreCompact`: instructions are gathered, any veto wins. */
export async function askPreCompact({ hooks }: ReliefParts, event: CompactEvent): Promise<PreCompactAnswer> {
  const answers = await hooks.collect('PreCompact', event)
  const instructions: string[] = []
  const vetoes: string[] = []
  for (const { owner, answer } of answers) {
    const given: { readonly instructions?: unknown; readonly veto?: unknown } = Object(answer)
    if (typeof given.veto === 'string') vetoes.push(`${owner}: ${given.veto}`)
    else if (typeof given.instructions === 'string') instructions.push(given.instructions)
  }
  return vetoes.length > 0 ? { instructions, veto: vetoes.join('; ') } : { instructions }
}
