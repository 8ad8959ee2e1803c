import { cleanText } from '../../terminal/clean-text.js'
import { columnsOf, graphemes } from '../../terminal/text.js'
import type { Editor } from '../state/editor.js'
import type { Dialog, Live, ScreenState, Status, Suggestions, Work } from '../state/screen-state.js'
import { cutLine, type Line, lineWidth, plainLines, type Span, span, wrapLine } from '../text/lines.js'

/** The size of the terminal, and the time. */
interface Surface {
  readonly columns: number
  readonly rows: number
  readonly now: number
}

export interface Placed {
  readonly lines: readonly Line[]
  /** Where the cursor stands in them. */
  readonly cursor: { readonly x: number; readonly y: number }
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
  const busy = [...activity(doing, width, now), ...agentLines(state.live, width), ...queue.slice(-3)]
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

/** Agents that are shown by name; of the others only the number. */
const SHOWN_AGENTS = 4

function agentLines({ agents }: Live, width: number): Line[] {
  const more = agents.length - SHOWN_AGENTS
  return [
    ...agents
      .slice(0, SHOWN_AGENTS)
      .map(({ name, doing }) =>
        cutLine([span('◇ ', 'magenta'), span(oneLine(name)), span(`  ${oneLine(doing)}`, 'dim')], width - 1),
      ),
    ...(more > 0 ? [cutLine([span(`  +${more} more agents: /agents`, 'dim')], width - 1)] : []),
  ]
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

/** The last line: the model, what is left of the context, the cache, the dollars, and what goes on beside. */
export function statusLine({ status, hint, live }: ScreenState, width: number, now: number): Line {
  if (hint !== undefined) return cutLine([span(hint, 'yellow')], width)
  if (!status) return cutLine([span('Opening the session …', 'dim')], width)
  const lines = versions(status, live.tasks, now).map(joined)
  return lines.find((line) => lineWidth(line) <= width) ?? cutLine(lines.at(-1) ?? [], width)
}

/** From all there is to say to the least. A narrow terminal loses whole figures, those first that change least. */
function versions(status: Status, names: readonly string[], now: number): readonly (readonly Span[])[] {
  const { model, hitRate, dollars } = status
  const mode = status.mode === 'default' ? [] : [span(status.mode, 'magenta')]
  const tasks = names.map((name) => span(name, 'magenta'))
  const left = contextLeft(status, '% context left')
  const cache = span(`cache ${Math.round(hitRate * 100)}%`, 'dim')
  const price = span(`$${dollars.toFixed(dollars < 1 ? 4 : 2)}`, 'dim')
  const kept = clock(status, now)
  const short = contextLeft(status, '% left')
  const cents = span(`$${dollars.toFixed(2)}`, 'dim')
  const place = status.place ? [span(status.place, 'dim')] : []
  return [
    [span(model, 'dim'), ...mode, left, cache, price, ...kept, ...place, ...tasks],
    [...mode, left, cache, price, ...kept, ...place, ...tasks],
    [...mode, left, price, ...kept, ...place, ...tasks],
    [...mode, short, cents, ...kept, ...place, ...tasks],
    [...mode, short, cents, ...place, ...tasks],
    [...mode, short, cents, ...place],
    [...mode, short, ...place],
    [...mode, short],
    [short],
  ]
}

function contextLeft({ percentLeft, fill }: Status, unit: string): Span {
  return span(`${percentLeft}${unit}`, fill === 'error' ? 'red' : fill === 'warning' ? 'yellow' : 'dim')
}

/** How long the cache still holds what was sent: after it, the next message pays for all of it anew. */
function clock({ cacheUntil }: Status, now: number): Span[] {
  if (cacheUntil === undefined) return []
  const seconds = Math.ceil((cacheUntil - now) / 1000)
  if (seconds <= 0) return [span('cold', 'yellow')]
  return [span(`warm ${seconds >= 60 ? `${Math.ceil(seconds / 60)}m` : '<1m'}`, 'dim')]
}

function joined(parts: readonly Span[]): Line {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [span(' · ', 'dim'), part]))
}

/** A dialog as lines, and where the cursor stands while words are typed. `room`: lines that its body may take. */
function dialogLines(
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

const MARK = '❯ '

/** What is typed, broken where the screen ends; of a long text the lines around the cursor. */
export function editorLines({ text, cursor }: Editor, width: number, most: number): Placed {
  const rows: string[] = ['']
  let at = { x: 0, y: 0 }
  let used = 0
  const room = Math.max(2, width - MARK.length - 1)
  const turn = () => {
    rows.push('')
    used = 0
  }
  let place = 0
  const stand = () => {
    if (place === cursor) at = { x: used, y: rows.length - 1 }
  }
  for (const grapheme of graphemes(text)) {
    const isPlain = grapheme.length === 1 && grapheme >= ' ' && grapheme <= '~'
    const shown = isPlain ? grapheme : grapheme === '\n' ? '' : cleanText(grapheme)
    const columns = isPlain ? 1 : columnsOf(shown)
    if (used + columns > room) turn()
    stand()
    rows[rows.length - 1] += shown
    used += columns
    place += grapheme.length
    if (grapheme === '\n') turn()
  }
  stand()
  const first = Math.max(0, Math.min(at.y - most + 1, rows.length - most))
  const lines = rows
    .slice(first, first + most)
    .map((row, index) => [index + first === 0 ? span(MARK, 'cyan') : span(' '.repeat(MARK.length)), span(row)])
  return { lines, cursor: { x: MARK.length + at.x, y: at.y - first } }
}

/** The suggestions around the one at hand. */
function suggestionLines({ items, at }: Suggestions, width: number, most: number): Line[] {
  const first = Math.max(0, Math.min(at - Math.floor(most / 2), items.length - most))
  const shown = items.slice(first, first + most)
  const longest = Math.max(...shown.map(({ line }) => line.length))
  return shown.map(({ line, help }, index) => {
    const isAt = first + index === at
    const name = span(`  ${line.padEnd(longest)}`, ...(isAt ? (['cyan', 'bold'] as const) : []))
    return cutLine([name, ...(help ? [span(`  ${help}`, 'dim')] : [])], width)
  })
}

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** How often the sign turns. */
export const FRAME_MS = 120

/** What is being done, for how long, and how to stop it. */
function workLine({ label, since }: Work, now: number): Line {
  const passed = Math.max(0, now - since)
  const frame = FRAMES[Math.floor(passed / FRAME_MS) % FRAMES.length] ?? ''
  return [span(`${frame} `, 'cyan'), span(label), span(` ${Math.floor(passed / 1000)}s · Esc interrupts`, 'dim')]
}
