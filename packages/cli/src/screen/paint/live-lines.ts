import { cleanText } from '../../text/clean-text.js'
import { dialogLines } from '../dialog/dialog-lines.js'
import type { Live, ScreenState } from '../state/screen-state.js'
import { cutLine } from '../text/cut-line.js'
import { type Line, span } from '../text/span.js'
import { wrapLine } from '../text/wrap-line.js'
import { editorLines, type Placed } from './editor-lines.js'
import { statusLine } from './status-line.js'
import { suggestionLines } from './suggestion-lines.js'
import { workLine } from './work-line.js'

/** The size of the terminal, and the time. */
export interface Surface {
  readonly columns: number
  readonly rows: number
  readonly now: number
}

const ROOMY = 12

/**
 * All that is below the finished output, and where the cursor stands. It never fills the screen: what would is cut at
 * its top, since a terminal can not take back what has left it.
 */
export function liveLines(state: ScreenState, { columns, rows, now }: Surface): Placed {
  const width = Math.max(8, columns)
  const most = Math.max(3, rows - 1)
  const foot = [statusLine(state, width - 1, now)]
  const middle = inputLines(state, width, most)
  const queue = state.queue.map((text) => cutLine([span('⏳ ', 'yellow'), span(oneLine(text), 'dim')], width - 1))
  const room = most - middle.lines.length - foot.length
  const doing = state.dialog ? { ...state.live, work: undefined } : state.live
  // What is finished stands apart, where there is room for that.
  const gap: Line[] = state.printed.length > 0 && rows >= ROOMY ? [[]] : []
  const busy = [...activity(doing, width, now), ...queue.slice(-3)]
  const above = room > 0 ? [...gap, ...busy].slice(-room) : []
  const top = above.length
  const all = [...above, ...middle.lines, ...foot]
  const cut = Math.max(0, all.length - most)
  return { lines: all.slice(cut), cursor: { x: middle.cursor.x, y: Math.max(0, middle.cursor.y + top - cut) } }
}

function inputLines(state: ScreenState, width: number, most: number): Placed {
  if (state.dialog) {
    const { lines, cursor } = dialogLines(state.dialog, width - 1, Math.max(4, most - 2))
    return { lines, cursor: cursor ?? { x: 0, y: lines.length - 1 } }
  }
  const typed = editorLines(state.editor, width, Math.max(1, Math.floor(most / 2)))
  const offered = state.suggestions
    ? suggestionLines(state.suggestions, width - 1, Math.max(1, Math.floor(most / 3)))
    : []
  return { lines: [...typed.lines, ...offered], cursor: typed.cursor }
}

function activity({ answer, calls, work }: Live, width: number, now: number): Line[] {
  const text = answer.flatMap((line) => wrapLine(line, width - 1))
  const running = calls.flatMap(({ title, progress }) => [
    cutLine([span('○ ', 'yellow'), span(title)], width - 1),
    ...(progress ? [cutLine([span('  '), span(oneLine(progress), 'dim')], width - 1)] : []),
  ])
  return [...text, ...running, ...(work ? [cutLine(workLine(work, now), width - 1)] : [])]
}

function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}
