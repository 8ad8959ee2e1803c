import { invalid } from '../api-error.js'
import type { Block, Message, MessagesBody, Role, Tool } from '../wire.js'
import { BETA } from './betas.js'
import { type Dialect, requestShape } from './request-shape.js'
import { firstProblem, isRecord } from './shape.js'

/** Parses a body and checks its fields. What comes out has one form whatever shorthand came in. */
export function readRequest(source: string, dialect: Dialect): MessagesBody {
  const parsed = parseJson(source)
  if (isRecord(parsed) && parsed.compaction != null && !dialect.betas.has(BETA.onDemandCompaction)) {
    throw invalid(`compaction: this parameter requires anthropic-beta: ${BETA.onDemandCompaction}`)
  }
  const found = firstProblem(requestShape(dialect), parsed)
  if (found) throw invalid(found)
  return normalize(parsed as RawBody)
}

type RawContent = string | readonly Block[]

interface RawBody extends Omit<MessagesBody, 'messages' | 'system' | 'tools'> {
  readonly messages: readonly (Omit<Message, 'content'> & { readonly role: Role; readonly content?: RawContent })[]
  readonly system?: RawContent | null
  readonly tools?: readonly Tool[] | null
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch (error) {
    throw invalid(`The request body is not valid JSON: ${(error as Error).message}`)
  }
}

/** The body was parsed for us alone, so it is changed in place: copies of large ones would cost more than the checks. */
function normalize(raw: Writable<RawBody>): MessagesBody {
  raw.max_tokens ??= 0
  raw.tools ??= []
  raw.system = blocksOf(raw.system ?? [])
  for (const message of raw.messages as Writable<RawBody['messages'][number]>[]) {
    if (!Array.isArray(message.content)) message.content = blocksOf(message.content ?? [])
  }
  return raw as MessagesBody
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

function blocksOf(content: RawContent): readonly Block[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ type: 'text', text: content }]
}
