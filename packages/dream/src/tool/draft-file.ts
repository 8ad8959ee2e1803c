import { parse } from 'yaml'
import type { Scope } from '../folders/memory-folder.js'
import { MEMORY_TYPES, type MemoryType, oneLine } from '../memory/memory.js'
import { ROOT } from './memory-command.js'

/** A file of one of the two folders. */
export interface Place {
  readonly scope: Scope
  readonly path: string
}

const PERSON = 'person/'

/** The file that a path of the model means. Whatever does not stay below the root is thrown. */
export function pathOf(given: string): Place {
  const path = given.trim().replaceAll('\\', '/')
  if (path.includes('\0') || path.includes('%')) throw new Error(`${given} is no path below ${ROOT}.`)
  const inside = path === ROOT ? '' : path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : undefined
  if (inside === undefined) throw new Error(`${given} lies outside of ${ROOT}, and nothing outside is read or written.`)
  const parts = inside.split('/')
  if (parts.some((part) => part === '..' || part === '.' || part.startsWith('.'))) {
    throw new Error(`${given} lies outside of ${ROOT}, and nothing outside is read or written.`)
  }
  return inside.startsWith(PERSON)
    ? { scope: 'person', path: inside.slice(PERSON.length) }
    : { scope: 'project', path: inside === 'person' ? '' : inside }
}

/** What the model writes about a new memory. */
export interface DraftFile {
  readonly name: string
  readonly description: string
  readonly type: MemoryType
  readonly quotes: readonly string[]
  readonly body: string
}

/** How a new file has to look, for prompts and error texts. */
export const DRAFT_FORM = `---
name: a few words
description: what it is good for, in less than a line
type: user, feedback, project or reference
quote: the exact words of the log that show it
---
The fact or rule in one or two sentences, in the words and the language in which it was said.

**Why:** the reason, if one was given.
**How to apply:** when it matters.`

const HEAD = /^\s*---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/

export function readDraft(text: string): DraftFile {
  const head = HEAD.exec(text)
  if (!head) throw new Error(`The file needs a head:\n${DRAFT_FORM}`)
  const fields = readFields(head[1] ?? '')
  const type = MEMORY_TYPES.find((each) => each === fields.type)
  if (!type) throw new Error(`type is one of ${MEMORY_TYPES.join(', ')}.`)
  const quotes = (Array.isArray(fields.quote) ? fields.quote : [fields.quote]).flatMap((quote) =>
    typeof quote === 'string' && quote.trim() !== '' ? [oneLine(quote)] : [],
  )
  if (quotes.length === 0) throw new Error('quote is missing: the exact words of the log that show it.')
  const body = text.slice(head[0].length).trim()
  if (body === '') throw new Error('The file says nothing below its head.')
  const name = oneLine(String(fields.name ?? ''))
  if (name === '') throw new Error('name is missing.')
  return { name, description: oneLine(String(fields.description ?? '')), type, quotes, body }
}

function readFields(head: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parse(head)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    throw new Error(
      `The head is not valid YAML: ${oneLine((error as Error).message)}. Put texts with colons into quotation marks.`,
    )
  }
  throw new Error(`The head needs names and values:\n${DRAFT_FORM}`)
}
