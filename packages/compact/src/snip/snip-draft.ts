import { type Draft, estimateText, type View } from '@nacre/core'
import { oneLine } from '../clear/one-line.js'
import { counted } from '../receipt/counted.js'
import { inFigures } from '../receipt/in-figures.js'
import type { Problem } from './find-round.js'
import { snipNote } from './snip-note.js'
import type { SnipSpan } from './snip-span.js'

export interface Snip {
  readonly draft: Draft
  readonly frees: number
  /** For whoever asked. */
  readonly summary: string
}

export interface SnipReason {
  /** Why, as a part of a sentence that the model reads. */
  readonly why: string
  /** The tool that reads what is gone, where one is installed. */
  readonly recall: string | undefined
}

const LONGEST_WHY = 300

/** The edit that takes rounds out and leaves a note, or why it is not worth it. */
export function snipDraft(view: View, snipped: SnipSpan, { why, recall }: SnipReason): Snip | Problem {
  const { rounds, span } = snipped
  // The model's words stand in a message of the user: they can neither end the line nor open a tag there.
  const reason = oneLine(why.replace(/[[\]]/g, ' '), LONGEST_WHY).replace(/[.\s]+$/, '') || 'no reason given'
  const note = snipNote(view, snipped, reason, recall)
  const tokens = rounds.reduce((sum, round) => sum + round.tokens, 0)
  const frees = Math.floor(tokens - estimateText(note))
  if (frees <= 0) {
    return { problem: 'Nothing would be gained: the note with what was said in it is as long as what it stands for.' }
  }
  const draft: Draft = { changes: [{ kind: 'drop', span, note }], reason: `snip: ${reason}` }
  return { draft, frees, summary: `${counted(rounds.length, 'round')}, about ${inFigures(frees)} tokens` }
}
