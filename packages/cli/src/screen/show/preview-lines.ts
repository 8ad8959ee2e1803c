import type { Json, ToolCall } from '@nacre/core'
import { cleanText } from '../../text/clean-text.js'
import { plainLines } from '../text/plain-lines.js'
import { type Line, span } from '../text/span.js'
import { wrapLine } from '../text/wrap-line.js'

type Input = Readonly<Record<string, Json | undefined>>

/** What a call would do, for the person who has to allow it: whole, so that nothing hides behind its beginning. */
export function previewLines({ name, input }: ToolCall, width: number): Line[] {
  const fields = Object(input) as Input
  if (name === 'Bash') return plainLines(`$ ${String(fields.command ?? '')}`, width)
  if (name === 'Edit') return exchanged(fields, width)
  if (name === 'MultiEdit' && Array.isArray(fields.edits)) {
    return fields.edits.flatMap((edit) => exchanged(Object(edit) as Input, width))
  }
  if (name === 'Write') return signed('+', withoutEnd(String(fields.content ?? '')), width)
  return Object.entries(fields).flatMap(([key, value]) =>
    plainLines(`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`, width, 'dim'),
  )
}

function exchanged({ old_string, new_string }: Input, width: number): Line[] {
  const [before, after] = [String(old_string ?? ''), String(new_string ?? '')]
  // Where only one of them has a line end, that is a change too.
  const shown = before.endsWith('\n') === after.endsWith('\n') ? withoutEnd : (text: string) => text
  return [...signed('-', shown(before), width), ...signed('+', shown(after), width)]
}

/** The end of the last line begins no other. */
function withoutEnd(text: string): string {
  return text.replace(/\r?\n$/, '')
}

function signed(sign: '+' | '-', text: string, width: number): Line[] {
  if (text === '') return []
  return cleanText(text)
    .split('\n')
    .flatMap((line) => wrapLine([span(`${sign}${line}`, sign === '+' ? 'green' : 'red')], width))
}
