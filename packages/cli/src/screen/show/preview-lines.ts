import type { Json, ToolCall } from '@nacre/core'
import { cleanText } from '../text/clean-text.js'
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
  if (name === 'Write') return signed('+', String(fields.content ?? ''), width)
  return Object.entries(fields).flatMap(([key, value]) =>
    plainLines(`${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`, width, 'dim'),
  )
}

function exchanged({ old_string, new_string }: Input, width: number): Line[] {
  return [...signed('-', String(old_string ?? ''), width), ...signed('+', String(new_string ?? ''), width)]
}

function signed(sign: '+' | '-', text: string, width: number): Line[] {
  if (text === '') return []
  return cleanText(text)
    .split('\n')
    .flatMap((line) => wrapLine([span(`${sign}${line}`, sign === '+' ? 'green' : 'red')], width))
}
