import { isMap, isNode, LineCounter, parseDocument } from 'yaml'
import { fieldName, isLimit } from './field-names.js'

/** A field as it is written, with its line in the file. */
export interface Field {
  readonly name: string
  readonly value: unknown
  readonly line: number
}

/** What stands between the two `---` lines, and the text behind them. */
export interface FrontMatter {
  readonly fields: readonly Field[]
  readonly body: string
}

/** Why there is no front matter to read, and in which line of the file. */
export interface FrontMatterProblem {
  readonly line: number
  readonly message: string
}

const FENCE = /^---[ \t]*$/
const MAX_CHARACTERS = 64_000
const HOW =
  'Begin the file with a line `---`, then `name: reviewer` and `description: when to use it`, then another line `---`'

/** Reads the front matter of a definition: as YAML, or line by line where it is none. */
export function frontMatter(source: string): FrontMatter | FrontMatterProblem {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/)
  const start = lines.findIndex((line) => line.trim() !== '')
  if (!FENCE.test(lines[start] ?? '')) return { line: 1, message: `It has no front matter. ${HOW}` }
  const end = lines.findIndex((line, index) => index > start && FENCE.test(line))
  if (end < 0) return { line: start + 1, message: `Its front matter has no end. ${HOW}` }
  const text = lines.slice(start + 1, end).join('\n')
  if (text.length > MAX_CHARACTERS) {
    const message = `Its front matter is longer than ${MAX_CHARACTERS} characters. Move what is long behind the second ---`
    return { line: start + 1, message }
  }
  const read = yamlFields(text) ?? forgivingFields(text)
  const first = start + 1
  if ('message' in read) return { line: read.line + first, message: read.message }
  return {
    fields: read.map((field) => ({ ...field, line: field.line + first })),
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}

/** The fields of a text that is YAML; `undefined` where it is not. */
function yamlFields(text: string): readonly Field[] | undefined {
  const lineCounter = new LineCounter()
  try {
    // A field that is there twice is found by whoever reads the fields: comparing each with each takes its time.
    const document = parseDocument(text, { lineCounter, uniqueKeys: false, logLevel: 'silent' })
    if (document.errors.length > 0) return undefined
    if (document.contents === null) return []
    if (!isMap(document.contents)) return undefined
    return document.contents.items.map(({ key, value }) => ({
      name: String(isNode(key) ? key.toJS(document) : key),
      value: isNode(value) ? value.toJS(document) : value,
      line: lineCounter.linePos((isNode(key) && key.range?.[0]) || 0).line,
    }))
  } catch {
    // Aliases without end.
    return undefined
  }
}

/** A field of which more lines may follow. */
interface Open {
  readonly name: string
  readonly line: number
  /** What stands behind the colon. */
  readonly first: string
  readonly more: string[]
}

const KEY = /^([ \t]*)(?:"([\w-]+)"|'([\w-]+)'|([A-Za-z_][\w-]*))[ \t]*:(?!\/\/)[ \t]*(.*)$/
const BLOCK = /^[|>][-+\d]*$/
const COMMENT = /^[ \t]*#(\s|$)/

/**
 * Reads `key: rest of the line` where YAML fails, mostly at a colon in the text. Lines that begin no field belong to the
 * one before them. Never throws. What stands before the first field is a problem: it could have been a limit.
 */
export function forgivingFields(text: string): readonly Field[] | FrontMatterProblem {
  const fields: Open[] = []
  let isInExample = false
  for (const [index, line] of text.split('\n').entries()) {
    const current = fields.at(-1)
    const next = beginning(line, index + 1, current, isInExample)
    if (next) fields.push(next)
    else if (current) current.more.push(line)
    else if (line.trim() !== '' && !COMMENT.test(line)) {
      return { line: index + 1, message: 'Its front matter does not begin with a field such as `name: value`' }
    }
    isInExample = staysInExample(line, next === undefined && isInExample)
  }
  return fields.map((field) => ({ name: field.name, value: fieldValue(field), line: field.line }))
}

/** The field that a line begins, if it begins one. */
function beginning(line: string, number: number, before: Open | undefined, isInExample: boolean): Open | undefined {
  const [, indent = '', double, single, bare, first = ''] = KEY.exec(line) ?? []
  const name = double ?? single ?? bare
  if (name === undefined) return undefined
  const field: Open = { name, line: number, first: first.trim(), more: [] }
  // An example has lines like `user: "..."`. It may have lost its end, so what is known is a field all the same.
  if (indent === '') return isInExample && !fieldName(name) && !isLimit(name) ? undefined : field
  // A limit that was indented by mistake must not get lost in a sentence.
  const isInText = before !== undefined && before.first !== '' && !BLOCK.test(before.first)
  return isInText && isLimit(name) ? field : undefined
}

function staysInExample(line: string, isInExample: boolean): boolean {
  const [begins, ends] = [line.lastIndexOf('<example>'), line.lastIndexOf('</example>')]
  return begins === ends ? isInExample : begins > ends
}

function fieldValue({ first, more }: Open): unknown {
  if (BLOCK.test(first)) return textOf(more)
  const start = withoutComment(first)
  const rest = more.filter((line) => !COMMENT.test(line))
  const items = rest.map((line) => line.trim()).filter((line) => line !== '')
  const isList = start === '' && items.length > 0 && items.every((line) => /^-(\s|$)/.test(line))
  if (isList) return items.map((item) => unquoted(withoutComment(item.slice(1).trim())))
  const whole = textOf([start, ...rest])
  const inner = /^\[([\s\S]*)\]$/.exec(whole)?.[1]
  if (inner === undefined) return unquoted(whole)
  return inner.trim() === '' ? [] : inner.split(',').map((item) => unquoted(item.trim()))
}

function textOf(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join('\n')
    .trim()
}

/** Only with a space on both sides: sentences have things like `#12` in them. */
function withoutComment(value: string): string {
  return /^["']/.test(value)
    ? value.replace(/^("[^"]*"|'[^']*')\s+#\s.*$/, '$1')
    : value.replace(/(^|\s)#(\s.*)?$/, '').trimEnd()
}

function unquoted(value: string): string {
  const quote = value[0]
  const isQuoted = value.length > 1 && (quote === '"' || quote === "'") && value.endsWith(quote)
  if (!isQuoted) return value
  const inner = value.slice(1, -1)
  return quote === '"' ? inner.replace(/\\(["\\])/g, '$1') : inner.replaceAll("''", "'")
}
