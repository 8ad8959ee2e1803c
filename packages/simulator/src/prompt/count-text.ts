import Tokenizer from 'ai-tokenizer'
import * as encoding from 'ai-tokenizer/encoding/claude'

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
