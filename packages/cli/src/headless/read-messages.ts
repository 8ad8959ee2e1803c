import { createInterface } from 'node:readline'
import type { Block } from '@nacre/core'
import { usageError } from '../arguments/usage-error.js'

const EXPECTED =
  'expected {"type":"user","content":"…"}, where the content is a text or a list of blocks of type text, image or document'

/** The messages of `--input-format stream-json`, one on each line, as they come. */
export async function* readMessages(stdin: NodeJS.ReadStream): AsyncGenerator<string | readonly Block[]> {
  let number = 0
  for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (line.trim() !== '') yield contentOf(line, number)
  }
}

function contentOf(line: string, number: number): string | readonly Block[] {
  const message = Object(parse(line, number)) as Record<string, unknown>
  // Other programs put the content one level deeper.
  const content = message.content ?? (Object(message.message) as Record<string, unknown>).content
  if (message.type === 'user' && isContent(content)) return content
  throw usageError(`stdin, line ${number}: ${EXPECTED}.`)
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw usageError(`stdin, line ${number} is no JSON (${(error as Error).message}): ${EXPECTED}.`)
  }
}

function isContent(content: unknown): content is string | readonly Block[] {
  if (typeof content === 'string') return content.trim() !== ''
  return Array.isArray(content) && content.length > 0 && content.every(isBlock)
}

/** What a person can say. A block that the API refuses would stay in the session, and every later request would fail. */
function isBlock(value: unknown): boolean {
  const { type, text, source } = Object(value) as Record<string, unknown>
  if (type === 'text') return typeof text === 'string' && text.trim() !== ''
  return (type === 'image' || type === 'document') && typeof (Object(source) as { type?: unknown }).type === 'string'
}
