import type { Block } from '@nacre/core'
import { plainText } from './plain-text.js'
import type { Result } from './schema/result-schema.js'
import type { OutputStreams, ScriptOutput } from './script-output.js'

/** The answer as it comes, on stdout; all else, on stderr. */
export function textOutput({ stdout, stderr }: OutputStreams): ScriptOutput {
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
  if (end === 'max-turns') return `Stopped after ${turns} turns, the limit of --max-turns.`
  if (end === 'budget') return `Stopped at the limit of --max-budget; this run has cost $${usage.dollars.toFixed(4)}.`
  if (end === 'refused') return 'The model refused to answer.'
  if (end === 'aborted') return 'Interrupted. The session is kept: nacre --continue goes on with it.'
  return error?.message
}
