import { estimateText } from '@nacre/core'

/** Words of others as a part of one line: nothing in them ends the line, or the frame that it stands in. */
export function oneLine(text: string, characters = Number.POSITIVE_INFINITY): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>]+/gu, ' ').trim()
  return cut(line, characters)
}

/** One line of at most that many characters. */
export function cutLine(text: string, characters: number): string {
  return cut(normalised(text), characters)
}

function cut(line: string, characters: number): string {
  return line.length > characters ? `${withoutHalfCharacter(line.slice(0, characters - 1)).trimEnd()}…` : line
}

/** A text with its white space alike, to tell whether one quotes another. */
export function normalised(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** The last of some texts that fit into a budget of estimated tokens, in their order. */
export function fitLast(texts: readonly string[], budget: number): string[] {
  let left = budget
  let first = texts.length
  while (first > 0) {
    left -= estimateText(`${texts[first - 1]}\n`)
    if (left < 0) break
    first -= 1
  }
  return texts.slice(first)
}

/** Without the first half of a character that was cut in two: alone it is no text, and the API refuses it. */
export function withoutHalfCharacter(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}

/** Never between the two halves of a character. */
export function characterStart(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

const WHOLE = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** A count for people: `167,000`. */
export function formatCount(count: number): string {
  return WHOLE.format(count)
}

/** Dollars for people, as exactly as they matter: `$1.25`, `$0.021`, `$0.0004`. */
export function formatDollars(dollars: number): string {
  if (dollars === 0) return '$0'
  const digits = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(Math.abs(dollars)))))
  return `$${dollars.toFixed(digits)}`
}

/** `1 message`, `2 messages`. */
export function counted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`
}
