import type { Block, NacreError, Receipt, SessionEvent } from '@nacre/core'
import type { OutputFormat } from '../arguments/run-options.js'
import type { OpenedSession } from '../session/opened-session.js'
import { plainText } from '../terminal/clean-text.js'
import type { ExitCode, Terminal } from '../terminal/terminal.js'
import { type Line, OUTPUT_VERSION, type Result } from './output-schema.js'

/** How a run without a person is told. Each format has one. */
export interface ScriptOutput {
  opened(opened: OpenedSession): void
  event(event: SessionEvent): void
  /** Of what fails without ending a query. */
  reported(error: NacreError): void
  /** A query has ended. `result` counts what was spent up to the moment in which it is called. */
  answered(result: () => Result): void
  /** The session is closed, or could not be opened. */
  ended(end: RunEnd): void
}

type RunEnd = Omit<Extract<Line, { type: 'end' }>, 'version' | 'type' | 'exitCode'> & {
  readonly exitCode: ExitCode
}

/** Where an output writes to. */
interface OutputStreams {
  readonly stdout: Pick<NodeJS.WritableStream, 'write'>
  readonly stderr: Pick<NodeJS.WritableStream, 'write'>
}

/** The output for a format. */
export function createOutput(format: OutputFormat, terminal: Terminal): ScriptOutput {
  if (format === 'json') return jsonOutput(terminal)
  return format === 'text' ? textOutput(terminal) : streamJsonOutput(terminal, terminal.cwd)
}

/** The answer as it comes, on stdout; all else, on stderr. */
function textOutput({ stdout, stderr }: OutputStreams): ScriptOutput {
  const answer = streamedAnswer((text) => stdout.write(text))
  const say = (text: string) => stderr.write(`nacre: ${plainText(text)}\n`)
  return {
    opened: ({ notices }) => notices.forEach(say),
    event(event) {
      if (event.type === 'turn-start') answer.turn()
      else if (event.type === 'delta') answer.add(textIn([event.block]))
      else if (event.type === 'recovery') {
        answer.again()
        // Whoever waits has to know what for: an address with a slip in it is tried for minutes.
        if (event.kind === 'retry') say(`Trying again (${event.attempt}): ${event.reason}`)
      } else if (event.type === 'response') answer.whole(textIn(event.entry.content))
      else if (event.type === 'notice' && event.notice.level !== 'info') say(event.notice.text)
    },
    reported: ({ message }) => say(message),
    answered(result) {
      answer.end()
      const why = whyEnded(result())
      if (why !== undefined) say(why)
    },
    ended() {},
  }
}

interface StreamedAnswer {
  turn(): void
  add(piece: string): void
  /** The answer broke off and is asked for again. */
  again(): void
  whole(text: string): void
  end(): void
}

/** Writes pieces once: what an answer that is asked for again has in common with the one before is not said twice. */
function streamedAnswer(write: (text: string) => void): StreamedAnswer {
  let written = ''
  let seen = ''
  let separator = ''
  let isOpenLine = false
  const put = (text: string) => {
    const plain = plainText(text)
    if (plain === '') return
    write(`${separator}${plain}`)
    separator = ''
    isOpenLine = !plain.endsWith('\n')
  }
  const add = (piece: string) => {
    seen += piece
    if (written.startsWith(seen)) return
    if (seen.startsWith(written)) put(seen.slice(written.length))
    else put(`\n${seen}`)
    written = seen
  }
  return {
    turn() {
      if (written !== '' || isOpenLine) separator = '\n\n'
      written = ''
      seen = ''
    },
    add,
    again() {
      seen = ''
    },
    whole(text) {
      if (text.startsWith(seen)) add(text.slice(seen.length))
      written = ''
      seen = ''
    },
    end() {
      if (isOpenLine) write('\n')
      separator = ''
      isOpenLine = false
    },
  }
}

function textIn(content: readonly Block[]): string {
  return content
    .filter(({ type }) => type === 'text')
    .map(({ text }) => String(text))
    .join('')
}

function whyEnded({ end, error, turns, usage }: Result): string | undefined {
  if (end === 'max-turns' && !error) return `Stopped after ${turns} turns, the limit of --max-turns.`
  if (end === 'max-tokens')
    return 'The answer was cut at the output limit of the model, again and again. It is not whole.'
  if (end === 'budget') return `Stopped at the limit of --max-budget; this run has cost $${usage.dollars.toFixed(4)}.`
  if (end === 'refused') return 'The model refused to answer.'
  if (end === 'aborted') return 'Interrupted. The session is kept: nacre --continue goes on with it.'
  return error?.message
}

/**
 * One object, as soon as the answer is there: what goes on behind it, such as learning from what was said, may take a
 * minute, and nobody who reads the answer waits for that. What it costs is in the bill of the session.
 */
function jsonOutput({ stdout, stderr }: OutputStreams): ScriptOutput {
  let isAnswered = false
  return {
    opened() {},
    event() {},
    reported({ message }) {
      if (isAnswered) stderr.write(`nacre: ${plainText(message)}\n`)
    },
    answered(result) {
      isAnswered = true
      stdout.write(`${JSON.stringify(result())}\n`)
    },
    ended() {},
  }
}

/** A line for everything that happens. */
function streamJsonOutput({ stdout }: OutputStreams, cwd: string): ScriptOutput {
  const version = OUTPUT_VERSION
  const write = (line: Line) => stdout.write(`${JSON.stringify(line)}\n`)
  return {
    opened({ session, model, isOffline, notices }) {
      const offline = isOffline
      write({ version, type: 'start', session: session.id, model: model.id, cwd, offline, notices: [...notices] })
    },
    event(event) {
      if (event.type !== 'end') write(toLine(event))
    },
    reported({ message, details }) {
      write({ version, type: 'notice', notice: { level: 'error', owner: details.plugin ?? 'nacre', text: message } })
    },
    answered: (result) => write(result()),
    ended: (end) => write({ version, type: 'end', ...end }),
  }
}

/** An event as scripts read it: fields that stay, whatever the session's own events become. The end is in the result. */
function toLine(event: Exclude<SessionEvent, { readonly type: 'end' }>): Line {
  const version = OUTPUT_VERSION
  const { type } = event
  switch (type) {
    case 'outdated': {
      const { sections, tools } = event.changes
      const { added, gone, changed } = tools
      const names = { added: [...added], gone: [...gone], changed: [...changed] }
      return { version, type, changes: { sections: [...sections], tools: names } }
    }
    case 'response': {
      const { id, model, content, usage, stop } = event.entry
      return { version, type, id, model, content: [...content], usage: { ...usage }, stop }
    }
    case 'tool-start': {
      const { id, name, input } = event.call
      return { version, type, call: { id, name, input: input as Json } }
    }
    case 'tool-progress':
      return { version, type, call: event.call.id, text: event.text }
    case 'tool-end': {
      const { content, isError = false } = event.result
      const { denied } = event
      return { version, type, call: event.call.id, content: [...content], isError, ...(denied && { denied }) }
    }
    case 'edit': {
      const { id, owner, reason, changes, price } = event.edit
      const { freed, dollars } = price
      return { version, type, id, owner, reason, changes: changes.map(({ kind }) => kind), freed, dollars }
    }
    case 'receipt':
      return { version, type, receipt: toReceipt(event.receipt) }
    case 'relief': {
      const { verdict, reason, pressure, owner, rung } = event.decision
      return { version, type, verdict, reason, pressure, owner, rung }
    }
    case 'cache-break': {
      const { cause, owner, what, tokens, dollars } = event.cacheBreak
      return { version, type, cause, owner, what, tokens, dollars }
    }
    case 'notice': {
      const { level, owner, text } = event.notice
      return { version, type, notice: { level, owner, text } }
    }
    default:
      return { version, ...event }
  }
}

type Json = Extract<Line, { type: 'tool-start' }>['call']['input']

/** Only the fields of the schema: a receipt may learn more. */
export function toReceipt(receipt: Receipt): Extract<Line, { type: 'receipt' }>['receipt'] {
  const { trigger, rung, undo, tokens, messages, dollars, restored, leftOut = [], checks } = receipt
  return {
    trigger,
    rung,
    undo,
    tokens: { before: tokens.before, after: tokens.after },
    messages: { folded: messages.folded, kept: messages.kept, dropped: messages.dropped },
    dollars: { spent: dollars.spent, rewrite: dollars.rewrite },
    restored: restored.map(({ what, status, owner, tokens: size, cut }) => ({
      what,
      status,
      owner,
      tokens: size,
      cut,
    })),
    leftOut: leftOut.map(({ what, owner, why }) => ({ what, owner, why })),
    checks: checks.map(({ name, ok, detail }) => ({ name, ok, detail })),
  }
}
