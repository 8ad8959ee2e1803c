import type { Block, MessageEntry } from './entry.js'

/**
 * A user turn, the response to it, and the results of its calls: the smallest piece that an edit can fold or drop.
 * The results of one response are the user turn of the next, so a round may begin with a response.
 */
export interface LogRound {
  readonly number: number
  readonly entries: MessageEntry[]
  /** Calls of the response that have no result yet. */
  readonly open: Set<string>
  hasResponse: boolean
}

/** Whether nothing more belongs to the round. */
export function isComplete(round: LogRound): boolean {
  return round.hasResponse && round.open.size === 0
}

/** The call that a block answers. */
export function answeredCall(block: Block): string | undefined {
  return block.type === 'tool_result' ? (block.tool_use_id as string) : undefined
}

/** Sorts an entry into its round. */
export function addToRounds(rounds: LogRound[], entry: MessageEntry): LogRound {
  const last = rounds.at(-1)
  if (last && belongsTo(last, entry)) {
    join(last, entry)
    return last
  }
  const round: LogRound = { number: rounds.length, entries: [], open: new Set(), hasResponse: false }
  rounds.push(round)
  join(round, entry)
  return round
}

function belongsTo(round: LogRound, entry: MessageEntry): boolean {
  if (!round.hasResponse) return true
  if (entry.kind === 'assistant') return round.entries.at(-1)?.kind === 'assistant' && round.open.size === 0
  return round.open.size > 0
}

function join(round: LogRound, entry: MessageEntry): void {
  round.entries.push(entry)
  if (entry.kind === 'assistant') {
    round.hasResponse = true
    for (const block of entry.content) if (block.type === 'tool_use') round.open.add(block.id as string)
    return
  }
  for (const block of entry.content) {
    const call = answeredCall(block)
    if (call !== undefined) round.open.delete(call)
  }
}
