import Tokenizer from 'ai-tokenizer'
import * as encoding from 'ai-tokenizer/encoding/claude'
import type { ModelSpec } from '../models/model-spec.js'
import type { Block, Tool } from '../wire/messages.js'

/** Flat counts for what has no text to count; see `docs/assumptions.md`. */
const IMAGE_TOKENS = 1_600
const PDF_TOKENS = 2_000
const PROVIDED_TOOL_TOKENS = 400
/** The start of a sealed text that holds nothing. */
const SEAL = 22

export type BlockTokens = (block: Block | Tool, digest: string) => number

/** Counts blocks for one model. The tokenizer runs once for each block, whatever the model and the request. */
export function blockTokens(spec: ModelSpec, memo: TokenMemo): BlockTokens {
  return (block, digest) => {
    const raw = memo.count(digest, () => textsOf(block).reduce((sum, text) => sum + countText(text), 0))
    return Math.ceil(raw * spec.tokenFactor) + flatTokens(block)
  }
}

function textsOf(block: Block | Tool): readonly string[] {
  switch (block.type) {
    case 'text':
      return [block.text as string]
    case 'tool_use':
    case 'server_tool_use':
      return [block.name as string, JSON.stringify(block.input)]
    case 'tool_result':
      return contentTexts(block.content)
    case 'web_search_tool_result':
      return Array.isArray(block.content) ? (block.content as Block[]).flatMap(pageTexts) : []
    case 'document':
      return documentTexts(block as Block)
    case 'compaction':
      return [(block.content as string | null) ?? '']
    case 'image':
    case 'thinking':
    case 'redacted_thinking':
    case 'effort':
    case 'cache_edits':
      return []
    case undefined:
    case null:
    case 'custom':
      return [block.name as string, (block.description as string) ?? '', JSON.stringify(block.input_schema)]
  }
  if (isProvidedTool(block)) return []
  const { cache_control: _, ...rest } = block
  return [JSON.stringify(rest)]
}

function flatTokens(block: Block | Tool): number {
  if (block.type === 'text') return 0
  if (block.type === 'image') return IMAGE_TOKENS
  if (block.type === 'document') {
    const { type, content } = block.source as { type: string; content?: unknown }
    return type === 'text' ? 0 : type === 'content' ? contentFlat(content) : PDF_TOKENS
  }
  if (block.type === 'tool_result') return contentFlat(block.content)
  return isProvidedTool(block) ? PROVIDED_TOOL_TOKENS : 0
}

function isProvidedTool(block: Block | Tool): boolean {
  return 'name' in block && block.type != null && block.type !== 'custom' && !('input' in block)
}

function contentTexts(content: unknown): readonly string[] {
  return typeof content === 'string' ? [content] : ((content ?? []) as Block[]).flatMap(textsOf)
}

function contentFlat(content: unknown): number {
  return Array.isArray(content) ? (content as Block[]).reduce((sum, inner) => sum + flatTokens(inner), 0) : 0
}

/** What the model reads of a page that was found: its text is sealed, not hidden from it. */
function pageTexts({ url, title, encrypted_content }: Block): readonly string[] {
  return [`${url} ${title}`, Buffer.from(String(encrypted_content).slice(SEAL), 'base64url').toString()]
}

function documentTexts(block: Block): readonly string[] {
  const source = block.source as { type: string; data?: string; content?: unknown }
  const about = [block.title, block.context].filter((text) => typeof text === 'string')
  if (source.type === 'text') return [...about, source.data ?? '']
  return source.type === 'content' ? [...about, ...contentTexts(source.content)] : about
}

const SETS = 1 << 15
const WAYS = 4

/**
 * Remembers the token counts of blocks by their digest, so that a request costs what is new in it. The table has a
 * fixed size: a newer block takes the slot of an older one, and memory does not grow with the requests seen. Blocks
 * that fall on one place share four slots, so that those of one conversation do not drive each other out.
 */
export interface TokenMemo {
  count(digest: string, count: () => number): number
}

export function tokenMemo(): TokenMemo {
  const tags = new Float64Array(SETS * WAYS)
  const counts = new Uint32Array(SETS * WAYS)
  let turn = 0
  return {
    count(digest, count) {
      const tag = tagOf(digest)
      const first = (tag % SETS) * WAYS
      for (let slot = first; slot < first + WAYS; slot++) if (tags[slot] === tag) return counts[slot] as number
      const tokens = count()
      let slot = first
      while (slot < first + WAYS && tags[slot] !== 0) slot++
      if (slot === first + WAYS) slot = first + (turn++ % WAYS)
      tags[slot] = tag
      counts[slot] = tokens
      return tokens
    },
  }
}

/** A digest as a number of 52 bits that is never 0: that one means an empty slot. */
function tagOf(digest: string): number {
  let low = 1
  let high = 1
  for (let at = 0; at < digest.length; at++) {
    const code = digest.charCodeAt(at)
    low = (Math.imul(low, 31) + code) | 0
    high = (Math.imul(high, 37) ^ code) | 0
  }
  return (high >>> 6) * 2 ** 26 + (low >>> 6) + 1
}

const MERGE_CACHE = 20_000
const LONGEST_RUN = 128
const SLICE = 64

const tokenizer = new Tokenizer(encoding, undefined, MERGE_CACHE)

/** Tokens of a text by the tokenizer alone, before any model's factor. */
export function countText(text: string): number {
  return hasLongRun(text) ? countInSlices(text) : encode(text)
}

/** `all` makes strings that look like control tokens plain text: what a user wrote is never more than that. */
function encode(text: string): number {
  return tokenizer.encode(text, 'all').length
}

/** The tokenizer takes quadratic time on a long run of one kind of character, so such texts are cut. */
function countInSlices(text: string): number {
  let tokens = 0
  let plain = 0
  for (const run of text.matchAll(/[^\S]{128,}|[^\s]{128,}/g)) {
    tokens += encode(text.slice(plain, run.index))
    for (let at = 0; at < run[0].length; at += SLICE) tokens += encode(run[0].slice(at, at + SLICE))
    plain = run.index + run[0].length
  }
  return tokens + encode(text.slice(plain))
}

function hasLongRun(text: string): boolean {
  let kind = -1
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const next = kindOf(text.charCodeAt(at))
    length = next === kind ? length + 1 : 1
    kind = next
    if (length === LONGEST_RUN) return true
  }
  return false
}

const SPACE = 0
const LETTER = 1
const DIGIT = 2
const OTHER = 3

function kindOf(code: number): number {
  if (code <= 32) return SPACE
  if (code >= 128) return LETTER
  if (code >= 48 && code <= 57) return DIGIT
  const lower = code | 32
  return lower >= 97 && lower <= 122 ? LETTER : OTHER
}
