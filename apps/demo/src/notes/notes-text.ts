import { describeReceipt } from '@nacre/compact'
import type { Paint } from '../table.js'
import type { NotesChapter } from './notes-chapter.js'

/** The chapter as people read it. */
export function notesText({ updates, cost, lines, covers, receipts, summaries }: NotesChapter, paint: Paint): string {
  const rows: readonly (readonly [string, string])[] = [
    [
      'noted',
      `${updates} updates beside the shift, $${cost.dollars.toFixed(4)}, ${(cost.hitRate * 100).toFixed(1)}% of their input from the cache; ${lines} lines at the end`,
    ],
    ...receipts.map((receipt) => ['compacted', describeReceipt(receipt)] as const),
    ['asked', `${summaries} summaries of the model: the notes were there already`],
    ['covered', covers],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const text = rows.map(([name, words]) => `${paint.bold(name.padEnd(width))}  ${words}`)
  return `\n${paint.bold('One shift with notes')}\nThe same shift on a window of 60,000 tokens, with sessionMemory() of @nacre/session-memory beside it.\n\n${text.join('\n')}\n`
}
