import { NacreError } from '@nacre/core'
import { decodeText } from './paths.js'

const PURGED = '[purged]'

/** Takes texts out of files and messages. */
export interface TextFilter {
  has(text: string): boolean
  /** A file without the lines that hold one of the texts; `undefined` when it is no text and holds one. */
  cleanFile(data: Uint8Array): Uint8Array | undefined
  /** A message in which such lines are replaced. The trailers that say who, for how much and by which right stay. */
  cleanMessage(message: string): string
}

/**
 * A filter for texts as a person gives them. They are found as they are, with other white space (also across lines, as
 * quoted or folded text has it), and as JSON and YAML write them between quotes.
 */
export function createTextFilter(texts: readonly string[], paths: readonly string[]): TextFilter {
  const needles = texts.flatMap((text) =>
    ['NFC', 'NFD'].map((form) => foldSpace(plain(text.normalize(form))).text.trim()),
  )
  const wanted = [...new Set([...needles, ...texts.map((text) => foldSpace(plain(text)).text.trim())])]
  if (wanted.includes('')) {
    throw new NacreError('INVALID_REQUEST', 'An empty text would purge every line. Give the words that must be gone.')
  }
  const has = (text: string) => views(text).some((view) => wanted.some((needle) => view().text.includes(needle)))
  const clean = (text: string) => {
    let left = text
    // Lines that were apart stand together afterwards, and may make up another one.
    while (has(left)) {
      const lines = left.split('\n')
      const held = heldLines(left, wanted)
      const rest = lines.filter((_, index) => !held.has(index)).join('\n')
      if (rest === left) break
      left = rest
    }
    return left
  }
  const names = paths.map((path) => new RegExp(`(?<![\\w./-])${escaped(path)}(?![\\w/-])`, 'g'))
  return {
    has,
    cleanFile(data) {
      const text = data.includes(0) ? undefined : decodeText(data)
      if (text !== undefined) return has(text) ? Buffer.from(clean(text)) : data
      const bytes = Buffer.from(data)
      const isHeld = (['utf8', 'latin1', 'utf16le'] as const).some((encoding) =>
        [...wanted, ...texts].some((needle) => bytes.includes(Buffer.from(needle, encoding))),
      )
      return isHeld ? undefined : data
    },
    cleanMessage(message) {
      const named = names.reduce((text, name) => text.replace(name, PURGED), message)
      if (!has(named)) return named
      const held = heldLines(named, wanted)
      return named
        .split('\n')
        .flatMap((line, index) => {
          if (!held.has(index) || /^(By|Cost|Consent): /.test(line)) return [line]
          return line.startsWith('Session: ') ? [] : [PURGED]
        })
        .join('\n')
    },
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Text, and for each of its characters the line of the file that it comes from. */
interface Mapped {
  readonly text: string
  readonly lines: readonly number[]
}

/** The numbers of the lines that hold one of the texts, or a part of one. */
function heldLines(text: string, needles: readonly string[]): ReadonlySet<number> {
  const held = new Set<number>()
  for (const view of views(text)) {
    const { text: shown, lines } = view()
    for (const needle of needles) {
      for (let at = shown.indexOf(needle); at >= 0; at = shown.indexOf(needle, at + 1)) {
        const last = lines[at + needle.length - 1] ?? 0
        for (let line = lines[at] ?? 0; line <= last; line++) held.add(line)
      }
    }
  }
  return held
}

/** A file as it is, as what JSON or YAML would read from it, once and twice, and as YAML reads single quotes. */
function views(text: string): readonly (() => Mapped)[] {
  const found = [() => foldSpace(plain(text))]
  if (text.includes('\\')) {
    found.push(() => foldSpace(decodeEscapes(plain(text))))
    found.push(() => foldSpace(decodeEscapes(decodeEscapes(plain(text)))))
  }
  if (text.includes("''")) found.push(() => foldSpace(rewrite(plain(text), /''/g, () => "'")))
  return found
}

function plain(text: string): Mapped {
  const lines: number[] = []
  let line = 0
  for (let at = 0; at < text.length; at++) {
    lines.push(line)
    if (text[at] === '\n') line++
  }
  return { text, lines }
}

/** Any white space is one space; a line break takes along how the next line is quoted. */
function foldSpace(mapped: Mapped): Mapped {
  return rewrite(mapped, /\s*\n[\s>]*|\s+/g, () => ' ')
}

const ESCAPE = /\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|U[0-9a-fA-F]{8}|\r?\n[ \t]*|[\s\S])/g
const SPACES = 'nrtbfv0NLP_'

function decodeEscapes(mapped: Mapped): Mapped {
  return rewrite(mapped, ESCAPE, (found) => {
    const code = found.slice(1)
    if (/^\r?\n/.test(code)) return ''
    if (code.length > 1) return String.fromCodePoint(Math.min(Number.parseInt(code.slice(1), 16), 0x10ffff))
    return SPACES.includes(code) ? '\n' : code
  })
}

function rewrite({ text, lines }: Mapped, pattern: RegExp, replace: (found: string) => string): Mapped {
  const parts: string[] = []
  const kept: number[] = []
  let at = 0
  const keep = (end: number) => {
    parts.push(text.slice(at, end))
    for (; at < end; at++) kept.push(lines[at] ?? 0)
  }
  for (const match of text.matchAll(pattern)) {
    keep(match.index)
    const put = replace(match[0])
    parts.push(put)
    for (let count = 0; count < put.length; count++) kept.push(lines[at] ?? 0)
    at += match[0].length
  }
  keep(text.length)
  return { text: parts.join(''), lines: kept }
}
