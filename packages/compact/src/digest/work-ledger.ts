import type { Block, Need, Round, View } from '@nacre/core'
import { RECALL } from '../recall/recall-name.js'
import { type DoneWork, doneWork, type WorkKind } from './done-work.js'

/** What tools have done, as lines by kind, the latest last. A thing done again moves to the end with its last outcome. */
export type WorkLedger = ReadonlyMap<WorkKind, readonly string[]>

const OUTCOME = ' → '

/** Gathers what was done in rounds, after what an earlier ledger knows. */
export function workLedger(
  view: View,
  rounds: readonly Round[],
  tool: Need['tool'],
  earlier: readonly WorkLedger[] = [],
): WorkLedger {
  const ledger = new Map<WorkKind, Map<string, string>>()
  const put = (kind: WorkKind, line: string) => {
    const lines = ledger.get(kind) ?? new Map<string, string>()
    const key = keyOf(line)
    lines.delete(key)
    lines.set(key, line)
    ledger.set(kind, lines)
  }
  for (const known of earlier) for (const [kind, lines] of known) for (const line of lines) put(kind, line)
  for (const { kind, what, outcome } of worksIn(view, rounds, tool)) put(kind, `${what}${OUTCOME}${outcome}`)
  return new Map([...ledger].map(([kind, lines]) => [kind, [...lines.values()]]))
}

function keyOf(line: string): string {
  const end = line.lastIndexOf(OUTCOME)
  return end === -1 ? line : line.slice(0, end)
}

/** Calls with their results, as the view shows them: what was redacted or cleared is not brought back. */
function worksIn(view: View, rounds: readonly Round[], tool: Need['tool']): DoneWork[] {
  const blocks = rounds.flatMap(({ entries }) =>
    entries.flatMap((entry) => entry.content.flatMap((_, block) => view.shown({ entry: entry.id, block }))),
  )
  const results = new Map(blocks.filter(isResult).map((block) => [block.tool_use_id, block]))
  const calls = blocks.filter(({ type, name }) => type === 'tool_use' && name !== RECALL)
  return calls.map((call) => doneWork(call, results.get(call.id), tool))
}

function isResult({ type }: Block): boolean {
  return type === 'tool_result'
}
