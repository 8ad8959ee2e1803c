import type { Block, Message } from '../../wire.js'
import { isFrame } from './is-frame.js'
import type { Call, Material } from './material.js'
import { openTodos } from './open-todos.js'
import { readSummary } from './read-summary.js'
import { errorLines, plainText } from './result-lines.js'
import type { SectionKind } from './section-kind.js'
import { writtenCall, writtenResult } from './written-out.js'

const QUOTED = /<user_message\b[^>\n]*>\n([\s\S]*?)\n<\/user_message>/g
const INDEX = /^\[[^\]\n]{1,80}\] /
const NOTE =
  /^\s*<(?:restored|system[-_]|reminder|notes?|recall|memor|attachment|hook|skill|instructions?)[\w-]*[\s>]|^The (?:conversation|session) (?:has begun|began) before/i

interface Gathered {
  readonly said: string[]
  readonly told: string[]
  readonly calls: Call[]
  readonly errors: string[]
  readonly carried: Map<SectionKind, string[]>
  open: readonly string[]
  isAsked: boolean
}

/** Reads what a summary is made of out of a conversation, up to the words that ask for the summary. */
export function readConversation(messages: readonly Message[], request: Block | undefined): Material {
  const found: Gathered = { said: [], told: [], calls: [], errors: [], carried: new Map(), open: [], isAsked: false }
  for (const { role, content } of messages) {
    const blocks = request && content.includes(request) ? content.slice(0, content.indexOf(request)) : content
    blocks.forEach((block, index) => {
      if (block.type === 'compaction') carry(found, String(block.content ?? ''))
      else if (role === 'assistant') readAnswer(found, block)
      else if (block.type === 'tool_result') readResult(found, block)
      else if (role === 'user' && block.type === 'text') readWords(found, String(block.text), blocks[index - 1])
    })
  }
  return found
}

function readAnswer(found: Gathered, block: Block): void {
  const written = block.type === 'text' ? writtenCall(String(block.text)) : undefined
  if (written) found.calls.push(written)
  else if (block.type === 'text' && String(block.text).trim() !== '') {
    found.told.push(String(block.text).trim())
    found.isAsked = false
  } else if (block.type === 'tool_use') {
    const { id, name, input } = block
    found.calls.push({ id: String(id), name: String(name), input })
    found.open = openTodos(input) ?? found.open
  }
}

function readResult(found: Gathered, block: Block): void {
  const call = found.calls.findLast(({ id }) => id === block.tool_use_id)
  const lines = errorLines(plainText(block.content), block.is_error === true)
  found.errors.push(...lines.map((line) => (call ? `${call.name}: ${line}` : line)))
}

/** Words in the role of the user are also what stands for an earlier part, and notes, which are wrapped in a tag. */
function readWords(found: Gathered, text: string, before: Block | undefined): void {
  const written = writtenResult(text)
  const quoted = [...text.matchAll(QUOTED)].map(([, words = '']) => words)
  if (written) found.errors.push(...errorLines(written.text, written.isError))
  else if (quoted.length > 0) found.said.push(...quoted)
  else if (isFrame(text)) carry(found, text.split('\n').slice(1).join('\n'))
  else if (before?.type === 'text' && isFrame(String(before.text))) carry(found, text, true)
  else if (readSummary(text)) carry(found, text)
  else if (NOTE.test(text)) found.open = openTodos(text) ?? found.open
  else if (text.trim() !== '' && !isIndex(text)) {
    found.said.push(text.trim())
    found.isAsked = true
  }
}

function carry({ carried, said }: Gathered, text: string, isWhole = false): void {
  const sections = readSummary(text) ?? new Map(isWhole ? [['completed' as const, text.split('\n')]] : [])
  for (const [kind, items] of sections) {
    if (kind === 'messages') said.push(...items)
    else carried.set(kind, [...(carried.get(kind) ?? []), ...items.filter((item) => item.trim() !== '')])
  }
}

/** A list of names by where they stand is for a search, not for a summary. */
function isIndex(text: string): boolean {
  const lines = text.trim().split('\n').slice(1)
  return lines.length > 0 && lines.every((line) => INDEX.test(line))
}
