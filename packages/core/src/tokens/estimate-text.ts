const LETTER = 0.2675
const DIGIT = 0.9947
const SPACE = 0.1747
const NEWLINE = 1.2287
const PUNCTUATION = 0.4885
const OTHER = 0.1535
/** Letters of other scripts. Not fitted on transcripts: a tokenizer gives 0.6 to 1.4 by script. */
const FOREIGN = 0.9

/**
 * Tokens of a text by the kinds of its characters, in one pass. Fitted on real transcripts of models before 4.7:
 * a median error of 7% a turn, where a quarter of the characters has 39%.
 */
export function estimateText(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; at++) tokens += weight(text.charCodeAt(at))
  return tokens
}

const WEIGHTS = Float64Array.from({ length: 128 }, (_, code) => asciiWeight(code))

function weight(code: number): number {
  if (code < 128) return WEIGHTS[code] as number
  // Boxes, arrows and dashes, which coding transcripts are full of, lie between the scripts.
  const isSymbol = code < 0xc0 || (code >= 0x2000 && code < 0x2e80) || code >= 0xe000
  return isSymbol ? OTHER : FOREIGN
}

function asciiWeight(code: number): number {
  if (code === 10) return NEWLINE
  if (code === 32 || code === 9) return SPACE
  if (code >= 48 && code <= 57) return DIGIT
  const lower = code | 32
  if (lower >= 97 && lower <= 122) return LETTER
  return code > 32 && code < 127 ? PUNCTUATION : OTHER
}
