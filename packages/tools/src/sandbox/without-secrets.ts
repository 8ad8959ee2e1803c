import { holdsSecret, lineScanner, type Scan } from './secret-forms.js'
import { isSecretName } from './secret-names.js'

/**
 * A small configuration file without the lines that hold credentials, so that a private copy can be given to commands:
 * `.npmrc`, `.gitconfig`, `.yarnrc.yml`, `pip.conf`, and all that is made of lines with a name and a value, of JSON or of
 * elements. What is left is still a file of its kind. Files that hold nothing but credentials are better left away whole.
 */
export async function withoutSecrets(text: string): Promise<string> {
  const scan = await lineScanner(text)
  const data = parsedJson(text)
  if (data !== undefined) return `${JSON.stringify(await cleanData(data, scan), undefined, 2)}\n`
  const lines = withoutElements(text).split('\n')
  const isKept = await judgeLines(lines, scan)
  dropEmptied(lines, isKept)
  return lines.filter((_, at) => isKept[at]).join('\n')
}

function parsedJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const data: unknown = JSON.parse(text)
    return typeof data === 'object' && data !== null ? data : undefined
  } catch {
    return undefined
  }
}

async function cleanData(data: unknown, scan: Scan): Promise<unknown> {
  if (Array.isArray(data)) {
    const dirty = await Promise.all(data.map((value) => isDirty('', value, scan)))
    return Promise.all(data.filter((_, at) => !dirty[at]).map((value) => cleanData(value, scan)))
  }
  if (typeof data !== 'object' || data === null) return data
  const entries = await Promise.all(
    Object.entries(data).map(async ([name, value]) =>
      (await isDirty(name, value, scan)) ? [] : [[name, await cleanData(value, scan)]],
    ),
  )
  return Object.fromEntries(entries.flat())
}

async function isDirty(name: string, value: unknown, scan: Scan): Promise<boolean> {
  const text = typeof value === 'object' ? '' : String(value)
  return isCredential(name, text, scan)
}

/** Names with a value of their own that are no secret, though they look so: the key a person signs with is a number. */
const HARMLESS = /^(?:user\.)?signing-?key$/i

async function isCredential(name: string, value: string, scan: Scan): Promise<boolean> {
  if (!HARMLESS.test(name) && isSecretName(name, value)) return true
  // A name and its password, as curl takes them.
  if (/^(?:proxy-?)?user$/i.test(name) && /[^\s:]:\S/.test(value)) return true
  return (await holdsSecret('', name, scan)) || holdsSecret(name, value, scan)
}

function withoutElements(text: string): string {
  return text.replace(/<([A-Za-z][\w.:-]{0,80})(?:\s[^<>]*)?>([^<>]*)<\/\1>/g, (whole, name: string, value: string) =>
    isSecretName(name, value) ? '' : whole,
  )
}

/** For each line whether it stays. */
async function judgeLines(lines: string[], scan: Scan): Promise<boolean[]> {
  const isKept = lines.map(() => true)
  for (let at = 0; at < lines.length; ) {
    const end = endOfLine(lines, at)
    const line = lines.slice(at, end).map(withoutBackslash).join(' ')
    const { drops, instead } = await judgeLine(line, scan)
    const until = endOfDropped[drops](lines, at, end)
    if (drops !== 'nothing') isKept.fill(false, at, until)
    if (instead !== undefined) {
      lines[at] = instead
      isKept[at] = true
    }
    at = until
  }
  return isKept
}

const endOfDropped: Readonly<Record<Verdict['drops'], (lines: readonly string[], at: number, end: number) => number>> =
  {
    nothing: (_lines, _at, end) => end,
    line: (_lines, _at, end) => end,
    value: endOfValue,
    section: (lines, _at, end) => endOfSection(lines, end),
  }

/** Behind the last line of those that a backslash makes one. */
function endOfLine(lines: readonly string[], start: number): number {
  let end = start + 1
  while (end < lines.length && /(?<!\\)(?:\\\\)*\\\r?$/.test(lines[end - 1] ?? '')) end++
  return end
}

function withoutBackslash(line: string): string {
  return line.replace(/\r$/, '').replace(/\\$/, '')
}

function endOfSection(lines: readonly string[], start: number): number {
  const next = lines.findIndex((line, at) => at >= start && SECTION.test(line))
  return next === -1 ? lines.length : next
}

const SECTION = /^\s*\[/

/** Behind all that belongs to the value that begins in a line: what is indented below it, and what it opens. */
function endOfValue(lines: readonly string[], start: number, end: number): number {
  const first = lines[start] ?? ''
  const opened = lines.slice(start, end).join('\n')
  const closing = closingOf(opened)
  if (closing) {
    const last = lines.findIndex((line, at) => at >= end && closing.test(line))
    return last === -1 ? lines.length : last + 1
  }
  let until = end
  while (until < lines.length && isBelow(lines[until] ?? '', first) && !SECTION.test(lines[until] ?? '')) until++
  return until
}

function closingOf(text: string): RegExp | undefined {
  if (/-----BEGIN /.test(text) && !/-----END /.test(text)) return /-----END /
  const quotes = [`"""`, `'''`].find((mark) => text.split(mark).length % 2 === 0)
  if (quotes) return new RegExp(quotes)
  return /[[{(]\s*$/.test(text) ? /^\s*[\]})]/ : undefined
}

function isBelow(line: string, parent: string): boolean {
  return line.trim() !== '' && indent(line) > indent(parent)
}

function indent(line: string): number {
  return line.length - line.trimStart().length
}

interface Verdict {
  readonly drops: 'nothing' | 'line' | 'value' | 'section'
  /** What stays of the line. */
  readonly instead?: string
}

async function judgeLine(line: string, scan: Scan): Promise<Verdict> {
  const head = /^(\s*\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])(.*)$/.exec(line)
  if (head) {
    const [, section = '', rest = ''] = head
    if (await holdsSecret('', section, scan)) return { drops: 'section' }
    return (await isDirtyLine(rest, scan)) ? { drops: 'line', instead: section } : { drops: 'nothing' }
  }
  return { drops: (await isDirtyLine(line, scan)) ? 'value' : 'nothing' }
}

async function isDirtyLine(line: string, scan: Scan): Promise<boolean> {
  const text = line.trim().replace(/^(?:#|;|\/\/(?=\s))+\s*/, '')
  if (text === '') return false
  // What npm keeps for a host, whatever it is.
  if (/^\/\/[^\s=]*:/.test(text)) return true
  if (/^[^:\s]*:(?:\d+|\*):[^:]*:[^:]*:./.test(text)) return true
  const bare = text.replace(/^(?:export\s+|set\s+|-\s+|--?(?=\w))/, '')
  if (/^(?:machine\s+\S+\s+)?(?:login\s+\S+\s+)?(?:password|passwd|account)\s+[^\s=:]/i.test(bare)) return true
  const [, name = '', value = ''] = NAMED.exec(bare) ?? PROPERTY.exec(bare) ?? []
  return (
    (await isCredential(unquoted(name), unquoted(value), scan)) || (!HARMLESS.test(name) && holdsSecret('', text, scan))
  )
}

/** `name = value` and `name: value`; a colon without a space behind it is part of a name, as in `@scope:registry`. */
const NAMED = /^("[^"]*"|'[^']*'|[^\s"'=]+?)\s*(?:=|:(?=\s|$))\s*(.*)$/
/** `name:value` of a file of properties, and `name value`. */
const PROPERTY = /^([\w.-]+)(?::|\s+)(.*)$/

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1,?$/, '$2')
}

/** Drops what has nothing below it any more: YAML would read it as nothing, and a program might not. */
function dropEmptied(lines: readonly string[], isKept: boolean[]): void {
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? ''
    if (!isKept[at] || !/:\s*$/.test(line)) continue
    let below = at + 1
    let hasKept = false
    for (; below < lines.length && (lines[below]?.trim() === '' || isBelow(lines[below] ?? '', line)); below++) {
      hasKept ||= isKept[below] === true && lines[below]?.trim() !== ''
    }
    if (below > at + 1 && !hasKept && lines.slice(at + 1, below).some((each) => each.trim() !== '')) isKept[at] = false
  }
}
