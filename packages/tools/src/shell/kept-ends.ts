import { countBreaks } from '../text.js'

/** The beginning and the end of a text that may be of any length, in a bounded memory. */
export interface KeptEnds {
  readonly chars: number
  add(text: string): void
  /** The last line with something on it. */
  lastLine(): string
  /** As much of both as is kept. */
  text(): string
  /** The text within so many characters. `marker` words what is left out, and may have up to a quarter of them. */
  within(room: number, marker: (left: LeftOut) => string): string
}

/** What of a text is not shown. */
export interface LeftOut {
  readonly bytes: number
  readonly lines: number
  /** The first line of it, counted from 1. */
  readonly from: number
  readonly totalBytes: number
  readonly totalLines: number
}

/** The end of a failed command says more than its beginning. */
const HEAD_SHARE = 0.4

export function keptEnds(capacity: number): KeptEnds {
  let head = ''
  let tail = ''
  let chars = 0
  let bytes = 0
  let breaks = 0
  const source = () => (chars === head.length + tail.length ? head + tail : tail)
  return {
    get chars() {
      return chars
    },
    add(text) {
      chars += text.length
      bytes += Buffer.byteLength(text)
      breaks += countBreaks(text)
      const toHead = text.slice(0, capacity - head.length)
      head += toHead
      tail += text.slice(toHead.length)
      // Now and then only: each cut copies.
      if (tail.length > 4 * capacity) tail = tail.slice(-capacity)
    },
    text: () => head + tail,
    lastLine: () => source().trimEnd().split('\n').at(-1)?.trim() ?? '',
    within(room, marker) {
      if (chars <= room) return head + tail
      const unknown = { bytes, lines: breaks, from: breaks, totalBytes: bytes, totalLines: breaks }
      const rest = room - marker(unknown).length - 2
      const first = beginning(head, Math.floor(rest * HEAD_SHARE))
      const last = ending(source(), rest - first.length)
      const left = {
        bytes: bytes - Buffer.byteLength(first) - Buffer.byteLength(last),
        lines: breaks - countBreaks(first) - countBreaks(last),
        from: countBreaks(first) + 1,
        totalBytes: bytes,
        totalLines: breaks,
      }
      return `${first}${first.endsWith('\n') ? '' : '\n'}${marker(left)}\n${last}`
    },
  }
}

/** Up to a line's end where there is one not too far away, and never in the middle of a character. */
function beginning(text: string, room: number): string {
  const cut = text.slice(0, isInsideCharacter(text, room) ? room - 1 : room)
  const line = cut.lastIndexOf('\n') + 1
  return line > cut.length / 2 ? cut.slice(0, line) : cut
}

function ending(text: string, room: number): string {
  const start = text.length - room
  const cut = text.slice(isInsideCharacter(text, start) ? start + 1 : start)
  const line = cut.indexOf('\n') + 1
  return line > 0 && line < cut.length / 2 ? cut.slice(line) : cut
}

function isInsideCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return index > 0 && code >= 0xdc00 && code <= 0xdfff
}

/** Turns bytes into text as they come. */
interface OutputCleaner {
  add(bytes: Uint8Array): string
  /** What was held back: the start of a character or of an escape sequence that never ended. */
  end(): string
}

/** Bounded, so that a stray escape character in binary data does not swallow what follows. */
const CONTROL = '\\[[0-?]{0,64}[ -/]{0,8}'
const STRING = '[\\]PX^_][^\\x07\\x1b\\n]{0,1024}'
const PLAIN = '[ -/]{0,8}'
/** Control sequences, strings such as titles and links, and what is left of others. `stripVTControlCharacters` of Node cuts links short that have a space in them. */
const ESCAPES = new RegExp(`\\x1b(?:${CONTROL}[@-~]|${STRING}(?:\\x07|\\x1b\\\\)|${PLAIN}[0-~])`, 'g')
const BEGUN = new RegExp(`\\x1b(?:${CONTROL}|${STRING}\\x1b?|${PLAIN})$`)
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/g

/**
 * Decodes UTF-8 and takes escape sequences out, whatever the borders of the chunks. What is no text becomes U+FFFD.
 */
export function cleanOutput(): OutputCleaner {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let held = ''
  return {
    add(bytes) {
      const text = held + decoder.decode(bytes, { stream: true })
      const end = BEGUN.exec(text)?.index ?? text.length
      held = text.slice(end)
      return cleanText(text.slice(0, end))
    },
    end() {
      const text = held + decoder.decode()
      held = ''
      return cleanText(text)
    },
  }
}

/** A text without escape sequences; other control characters are shown as U+FFFD. */
function cleanText(text: string): string {
  return text.replace(ESCAPES, '').replace(CONTROLS, '\uFFFD')
}
