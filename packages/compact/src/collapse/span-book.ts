import type { Id, Json, Span, StateEntry, View } from '@nacre/core'

/** A summary of a span, as it is kept until it is needed. */
export interface KeptSummary {
  readonly to: Id
  readonly text: string
  /** What it cost. */
  readonly dollars: number
}

/** The summary that is kept for the span that begins with an entry. A rewind takes it back, a resume brings it back. */
export function keptSummary(view: View, from: Id): KeptSummary | undefined {
  const { to, text, dollars } = Object(view.state('compact', keyOf(from))) as { readonly [key: string]: Json }
  if (typeof to !== 'string' || typeof text !== 'string') return undefined
  return { to, text, dollars: typeof dollars === 'number' ? dollars : 0 }
}

/** The entry that keeps a summary. */
export function summaryEntry({ from, to }: Span, text: string, dollars: number): StateEntry {
  return { kind: 'state', owner: 'compact', key: keyOf(from), value: { to, text, dollars }, id: '', time: 0 }
}

function keyOf(from: Id): string {
  return `collapse/${from}`
}
