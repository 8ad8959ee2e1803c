import { type StructuredPatchHunk, structuredPatch } from 'diff'
import { numbered } from './numbered.js'

/** A change of a text, for the model and for people. */
export interface ChangeDescription {
  /** The new lines with their numbers, with some of those around them. */
  readonly snippet: string
  /** The lines that went and came. */
  readonly patch: string
}

const CONTEXT = 3
const MOST_LINES = 40
/** A comparison of texts that have little in common would take long and tell nothing. */
const MOST_CHANGES = 1_000

/** Both texts have `\n` at their line ends. */
export function describeChange(path: string, before: string, after: string): ChangeDescription {
  const options = { context: CONTEXT, maxEditLength: MOST_CHANGES }
  const hunks = structuredPatch(path, path, before, after, '', '', options)?.hunks
  if (!hunks) return { snippet: '', patch: `${path}: most of it is new` }
  return { snippet: snippetOf(hunks), patch: patchOf(path, hunks) }
}

function snippetOf(hunks: readonly StructuredPatchHunk[]): string {
  let room = MOST_LINES
  const parts: string[] = []
  for (const { lines, newStart } of hunks) {
    const now = lines.filter((line) => line.startsWith(' ') || line.startsWith('+')).map((line) => line.slice(1))
    const shown = now.slice(0, room)
    if (shown.length > 0) parts.push(numbered(shown, newStart))
    if (shown.length < now.length) parts.push('…')
    room -= shown.length
    if (room <= 0) break
  }
  return parts.join('\n…\n').replace('\n…\n…', '\n…')
}

function patchOf(path: string, hunks: readonly StructuredPatchHunk[]): string {
  const lines = hunks.flatMap((hunk) => [`@@ line ${hunk.newStart} @@`, ...hunk.lines])
  const added = lines.filter((line) => line.startsWith('+')).length
  const removed = lines.filter((line) => line.startsWith('-')).length
  const more = lines.length - MOST_LINES
  const shown = more > 0 ? [...lines.slice(0, MOST_LINES), `… ${more} more lines`] : lines
  return [`${path}: ${added} added, ${removed} removed`, ...shown].join('\n')
}
