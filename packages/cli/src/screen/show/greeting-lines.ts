import type { Round } from '@nacre/core'
import type { OpenedSession } from '../../session/opened-session.js'
import type { Terminal } from '../../terminal.js'
import { cleanText } from '../../text/clean-text.js'
import { renderMarkdown } from '../markdown/render-markdown.js'
import { plainLines } from '../text/plain-lines.js'
import { type Line, span } from '../text/span.js'
import { wrapLine } from '../text/wrap-line.js'
import { fromHome } from './from-home.js'
import { promptLines } from './prompt-lines.js'
import { textOfBlocks } from './text-of-blocks.js'

const LAST_ROUNDS = 6
const LAST_LINES = 60

/** What a session begins with on the screen: what it is, what was taken for granted, and where it stood. */
export function greetingLines(
  opened: OpenedSession,
  { cwd, home }: Pick<Terminal, 'cwd' | 'home'>,
  width: number,
): Line[] {
  const { model, isOffline, notices, session } = opened
  const name = [
    span('nacre', 'bold', 'cyan'),
    span(`  ${model.id}${isOffline ? ' (offline)' : ''}  ${cleanText(fromHome(cwd, home))}`, 'dim'),
  ]
  const help = [span('/ for commands, Esc interrupts, Ctrl-C twice ends', 'dim')]
  const said = notices.flatMap((notice) => plainLines(notice, width - 1, 'yellow'))
  const head = [name, help].flatMap((line) => wrapLine(line, width - 1))
  return [...head, ...said, ...lastMessages(session.view().rounds, width)]
}

function lastMessages(rounds: readonly Round[], width: number): Line[] {
  const lines = rounds.slice(-LAST_ROUNDS).flatMap((round) => roundLines(round, width))
  if (lines.length === 0) return []
  const note = [span('The session goes on:', 'dim')]
  const more = lines.length > LAST_LINES ? [[span('…', 'dim')]] : []
  return [[], note, ...more, ...lines.slice(-LAST_LINES)]
}

function roundLines({ entries, content }: Round, width: number): Line[] {
  if (content) return [[], [span('(what came before is folded)', 'dim')]]
  return entries.flatMap((entry) => {
    // Blanks at the beginning of a line carry meaning: they make code of it.
    const text = textOfBlocks(entry.content).replace(/^(?:[ \t]*\n)+|\s+$/g, '')
    if (text === '' || (entry.kind === 'user' && entry.isMeta)) return []
    if (entry.kind === 'user') return promptLines(text, width)
    const lines = renderMarkdown(text, Math.max(8, width - 3))
    return [[], ...lines.map((line, index) => [index === 0 ? span('● ', 'cyan') : span('  '), ...line])]
  })
}
