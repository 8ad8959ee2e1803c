import { createHash } from 'node:crypto'

/** A secret that nobody else has: whoever shows a piece of it has read the place where it was planted. */
export interface Secret {
  readonly place: string
  /** What is searched for: letters and digits. */
  readonly needle: string
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Letters and digits that look like chance and depend on nothing but the two names. */
export function needleOf(stage: string, place: string, length = 36): string {
  let text = ''
  for (let round = 0; text.length < length; round++)
    for (const byte of createHash('sha512').update(`${stage}\0${place}\0${round}`).digest())
      text += byte < 248 ? LETTERS[byte % LETTERS.length] : ''
  return text.slice(0, length)
}

/** How many letters of a secret are enough to have read it. */
const PIECE = 10

/** Finds pieces of secrets as they are, backwards, turned by 13 letters, in hex, and in base64; gives the places. */
export function secretFinder(secrets: readonly Secret[]): (text: string) => readonly string[] {
  const plain = new Map<string, string>()
  const exact = new Map<string, string>()
  const hex = new Map<string, string>()
  for (const { place, needle } of secrets) {
    for (const form of [needle, [...needle].reverse().join(''), turned(needle)])
      for (const piece of pieces(form.toLowerCase(), PIECE)) plain.set(piece, place)
    for (const piece of pieces(Buffer.from(needle).toString('hex'), 2 * PIECE)) hex.set(piece, place)
    for (const form of inBase64(needle)) for (const piece of pieces(form, PIECE)) exact.set(piece, place)
  }
  return (text) => {
    const dense = text.replace(/[\s\0]/g, '')
    const lower = dense.toLowerCase()
    const found = new Set<string>()
    for (let at = 0; at + PIECE <= dense.length; at++) {
      const place =
        plain.get(lower.slice(at, at + PIECE)) ??
        exact.get(dense.slice(at, at + PIECE)) ??
        hex.get(lower.slice(at, at + 2 * PIECE))
      if (place) found.add(place)
    }
    return [...found]
  }
}

function pieces(text: string, length: number): string[] {
  return Array.from({ length: Math.max(0, text.length - length + 1) }, (_, at) => text.slice(at, at + length))
}

function turned(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter < 'a' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
  })
}

/** Text in base64, once for each place at which it may begin, without the letters that depend on its neighbours. */
function inBase64(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bits = (before + text.length) * 8
    const whole = Buffer.from('\0'.repeat(before) + text).toString('base64')
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6))
  })
}
