import { isAbsolute, join, relative, sep } from 'node:path'
import { type Block, type EndReason, type ErrorCode, isNacreError, type Round, type SessionEvent } from '@nacre/core'
import type { OpenedSession } from '../../session/opened-session.js'
import { cleanText } from '../../terminal/clean-text.js'
import type { Terminal } from '../../terminal/terminal.js'
import { type Line, plainLines, span, wrapLine } from '../text/lines.js'
import { renderMarkdown } from '../text/markdown.js'

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
    return [[], ...answerLines(text, width, true)]
  })
}

/** What the person said, as it stays on the screen. */
export function promptLines(text: string, width: number): Line[] {
  const lines = cleanText(text)
    .split('\n')
    .flatMap((line) => wrapLine([span(line, 'bold')], Math.max(4, width - 3)))
  return [[], ...lines.map((line, index) => [index === 0 ? span('❯ ', 'cyan') : span('  '), ...line])]
}

/** What the model said. `isFirst`: whether its answer begins here. */
export function answerLines(text: string, width: number, isFirst: boolean): Line[] {
  return renderMarkdown(text, Math.max(8, width - 3)).map((line, index) => [
    isFirst && index === 0 ? span('● ', 'cyan') : span('  '),
    ...line,
  ])
}

const ADVICE: Readonly<Partial<Record<ErrorCode, string>>> = {
  AUTH: 'Set ANTHROPIC_API_KEY to a key that is valid, and start again with --continue; or try --offline.',
  LIMIT_REACHED: 'Enter on an empty line goes on.',
  NETWORK: 'Check the connection. Enter on an empty line tries again.',
  OVERLOADED: 'Enter on an empty line tries again, /model takes another model.',
  RATE_LIMITED: 'Wait a moment. Enter on an empty line tries again.',
  SPEND_CAP: 'Raise the limit of the account, or wait until it begins anew.',
  PROMPT_TOO_LONG: '/compact makes room, /context shows what fills it.',
  REQUEST_TOO_LARGE: '/compact makes room, /context shows what fills it.',
}
const AGAIN = 'Enter on an empty line tries again.'

const ENDS: Readonly<Partial<Record<EndReason, string>>> = {
  aborted: 'Interrupted. Say what to do instead, or press Enter on an empty line to go on.',
  refused: 'The model refused to answer. Say it in another way, or take it back with /rewind.',
  'max-turns': 'The limit of turns is reached. Send a message to go on.',
  'max-tokens': 'The answer was cut at the output limit of the model. Ask it to go on, or for smaller pieces.',
  budget: 'The limit of dollars is reached. Start with a higher --max-budget to go on.',
}

/** How a query ended, where that is not simply done. */
export function endLines({ reason, error }: Extract<SessionEvent, { type: 'end' }>, width: number): Line[] {
  if (reason === 'done') return []
  if (error && reason !== 'aborted') {
    const advice = isNacreError(error) ? ADVICE[error.code] : undefined
    return errorLines(error, width, advice ?? (reason === 'error' ? AGAIN : undefined))
  }
  return plainLines(ENDS[reason] ?? `It ended: ${reason}.`, width - 1, 'yellow')
}

/** What went wrong and what to do about it. */
export function errorLines(error: unknown, width: number, advice?: string): Line[] {
  const plugin = isNacreError(error) && error.details.plugin ? `${error.details.plugin}: ` : ''
  const message = error instanceof Error ? error.message : String(error)
  return [
    ...plainLines(`✗ ${plugin}${message}`, width - 1, 'red'),
    ...(advice === undefined ? [] : plainLines(`  ${advice}`, width - 1, 'dim')),
  ]
}

/** A folder as people name it: from their home where it is in there. */
export function fromHome(folder: string, home: string): string {
  const below = relative(home, folder)
  const isBelow = home !== '' && !isAbsolute(below) && below.split(sep)[0] !== '..'
  return isBelow ? join('~', below) : folder
}

/** The texts of a message, one below the other. */
export function textOfBlocks(content: readonly Block[]): string {
  return content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : [])).join('\n')
}
