import { describeReceipt } from '@nacre/compact'
import type { Receipt } from '@nacre/core'
import type { Paint } from '../table.js'
import type { CompactChapter } from './compact-chapter.js'

const count = (tokens: number) => Math.round(tokens).toLocaleString('en-US')
const money = (dollars: number) => `$${dollars.toFixed(4)}`

/** The chapter as people read it. */
export function compactText(chapter: CompactChapter, paint: Paint): string {
  const { cleared, receipt, tickets, isUndone, recalled, digest } = chapter
  const { with: spent, without } = cleared.dollars
  const rows: readonly (readonly [string, string])[] = [
    ['cleared', `${cleared.results} old results, ${count(cleared.tokens)} tokens; of the first there stands:`],
    ['', paint.dim(cleared.line)],
    ['saved', `${money(spent)} for the shift instead of ${money(without)}: ${(spent / without).toFixed(2)} of it`],
    ['compacted', describeReceipt(receipt)],
    ['checked', checks(receipt)],
    ['kept', `${tickets.inView} of ${tickets.all} ticket numbers are still in view`],
    [
      'undone',
      isUndone ? 'the next request says again all that was said before, to the byte' : 'the next request differs',
    ],
    ['recalled', recalled],
    ['network cut', describeReceipt(digest)],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const lines = rows.map(([name, text]) => `${paint.bold(name.padEnd(width))}  ${text}`)
  return `\n${paint.bold('One conversation that would not have fitted')}\nThe same core with compact() of @nacre/compact: forty reports, then a morning with questions.\n\n${lines.join('\n')}\n`
}

function checks({ checks: all }: Receipt): string {
  return all.map(({ name, ok, detail }) => `${ok ? '✓' : '✗'} ${name}${detail ? ` (${detail})` : ''}`).join(', ')
}
