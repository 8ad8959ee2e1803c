import { cutLine } from '../text/cut-line.js'
import { lineWidth } from '../text/line-width.js'
import { plainLines } from '../text/plain-lines.js'
import { type Line, span } from '../text/span.js'
import { wrapLine } from '../text/wrap-line.js'
import type { Dialog } from './dialog.js'

/** A dialog as lines, and where the cursor stands while words are typed. `room`: lines that its body may take. */
export function dialogLines(
  { choice, at, marked, words }: Dialog,
  width: number,
  room: number,
): { readonly lines: readonly Line[]; readonly cursor?: { readonly x: number; readonly y: number } } {
  const options = choice.options.flatMap(({ label, description, key }, index) => {
    const isAt = index === at
    const box = choice.isMulti ? `${marked.includes(index) ? '[x]' : '[ ]'} ` : ''
    const mark = span(`${isAt ? '❯' : ' '} ${index + 1}. ${box}`, ...(isAt ? (['cyan'] as const) : []))
    const words = [span(label, ...(isAt ? (['bold'] as const) : [])), ...(key ? [span(` (${key})`, 'dim')] : [])]
    const about = description ? [span(` ${description}`, 'dim')] : []
    return hanging(mark, [...words, ...about], width)
  })
  const title = plainLines(choice.title, width, 'bold', 'yellow')
  const all = choice.body(width)
  const hidden = all.length - Math.max(1, room - title.length - options.length - 2)
  const body = hidden > 0 ? [...all.slice(0, -hidden - 1), [span(`… ${hidden + 1} more lines`, 'dim')]] : all
  const lines = [...title, ...body, ...options]
  if (!words) return { lines: [...lines, cutLine([span(help(choice), 'dim')], width)] }
  const typed = wrapLine([span('  › '), span(words.text.replace(/\n/g, ' '))], width - 1)
  const last = typed.at(-1) ?? []
  return { lines: [...lines, ...typed], cursor: { x: lineWidth(last), y: lines.length + typed.length - 1 } }
}

function help({ isMulti = false, leaving = 'Esc leaves' }: Dialog['choice']): string {
  return `${isMulti ? 'Space marks, ' : ''}Enter confirms, ${leaving}`
}

function hanging(mark: ReturnType<typeof span>, line: Line, width: number): Line[] {
  const indent = lineWidth([mark])
  return wrapLine(line, Math.max(1, width - indent)).map((each, index) => [
    index === 0 ? mark : span(' '.repeat(indent)),
    ...each,
  ])
}
