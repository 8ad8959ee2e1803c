import type { Block } from '../../wire.js'
import { brief } from './brief.js'

const LOOKS_WRONG =
  /error|exception|\bfail(?:ed|ure|s)?\b|\bfatal\b|\bpanic|\brefused\b|\bdenied\b|traceback|\bE[A-Z]{4,}\b/i
const LOOKS_WELL = /\b(?:0|no|without) (?:errors?|failures?|failed)\b/i
const MOST_LINES = 2
const LONGEST = 200

/** The text of a result, whatever its form. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks = (content ?? []) as readonly Block[]
  return blocks.map((block) => (block.type === 'text' ? String(block.text) : `[${block.type}]`)).join('\n')
}

/** The first lines of a result that tell of something that went wrong. */
export function errorLines(text: string, isError: boolean): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const wrong = lines.filter((line) => LOOKS_WRONG.test(line) && !LOOKS_WELL.test(line))
  const telling = wrong.length > 0 || !isError ? wrong : lines
  return telling.slice(0, MOST_LINES).map((line) => brief(line, LONGEST))
}
