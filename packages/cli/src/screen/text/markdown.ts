import { lexer, type Token, type Tokens } from 'marked'
import { cleanText } from '../../terminal/clean-text.js'
import { type Line, lineWidth, type Span, type Style, span, wrapLine } from './lines.js'

/** Markdown as lines that fit: blocks stand apart by an empty line. */
export function renderMarkdown(text: string, width: number): Line[] {
  return blocks(lexer(text), width)
}

function blocks(tokens: readonly Token[], width: number, isTight = false): Line[] {
  const shown = tokens.filter(({ type }) => type !== 'space' && type !== 'def')
  return shown.flatMap((token, index) => [...(index > 0 && !isTight ? [[]] : []), ...block(token, width)])
}

function block(token: Token, width: number): Line[] {
  switch (token.type) {
    case 'heading':
      return wrapSpans(inlineSpans(token.tokens ?? [], heading(token as Tokens.Heading)), width)
    case 'code':
      return code(token as Tokens.Code, width)
    case 'list':
      return list(token as Tokens.List, width)
    case 'blockquote':
      return indented(blocks(token.tokens ?? [], Math.max(1, width - 2)), span('│ ', 'dim'))
    case 'table':
      return renderTable(token as Tokens.Table, width)
    case 'hr':
      return [[span('─'.repeat(Math.max(1, Math.min(width, 40))), 'dim')]]
    case 'html':
      return wrapSpans([span(cleanText(token.raw.trimEnd()), 'dim')], width)
    default:
      return wrapSpans(inline(token), width)
  }
}

function inline(token: Token): Span[] {
  const { tokens } = token as Tokens.Generic
  return tokens ? inlineSpans(tokens) : [span(cleanText(token.raw.trimEnd()))]
}

function heading({ depth }: Tokens.Heading): ('bold' | 'underline' | 'cyan')[] {
  return depth === 1 ? ['bold', 'underline', 'cyan'] : depth === 2 ? ['bold', 'cyan'] : ['bold']
}

/** Indented rather than framed, so that what is copied from the screen is the code alone. */
function code({ text }: Tokens.Code, width: number): Line[] {
  return cleanText(text)
    .split('\n')
    .flatMap((line) => hardWrapped(line, Math.max(1, width - 2)))
    .map((line) => [span('  '), ...line])
}

function hardWrapped(line: string, width: number): Line[] {
  const indent = /^ */.exec(line)?.[0] ?? ''
  const [first = [], ...rest] = wrapLine([span(line, 'green')], width)
  // Leading blanks carry meaning in code, and a wrapped line keeps them.
  return [first, ...rest.map((each) => (lineWidth(each) + indent.length <= width ? [span(indent), ...each] : each))]
}

function list({ items, ordered, start, loose }: Tokens.List, width: number): Line[] {
  return items.flatMap((item, index) => {
    const mark = ordered ? `${Number(start || 1) + index}. ` : item.task ? (item.checked ? '☑ ' : '☐ ') : '• '
    const lines = blocks(item.tokens, Math.max(1, width - mark.length), !loose)
    return [...(loose && index > 0 ? [[]] : []), ...indented(lines, span(' '.repeat(mark.length)), span(mark, 'dim'))]
  })
}

function indented(lines: readonly Line[], indent: Span, first = indent): Line[] {
  return (lines.length > 0 ? lines : [[]]).map((line, index) => [index === 0 ? first : indent, ...line])
}

/** Parts a text that is still coming: blocks that nothing can change any more, and the rest, which is shown anew. */
export function splitFinished(text: string): { readonly finished: string; readonly rest: string } {
  const tokens = lexer(text)
  const last = tokens.findLastIndex(({ type }) => type !== 'space')
  if (last <= 0) return { finished: '', rest: text }
  const length = tokens.slice(0, last).reduce((sum, { raw }) => sum + raw.length, 0)
  return { finished: text.slice(0, length), rest: text.slice(length) }
}

const GAP = 2
const NARROWEST = 4

/** A table that fits: columns are narrowed and their cells wrapped; where that is hopeless, each row is a list of its cells. */
function renderTable({ header, rows }: Tokens.Table, width: number): Line[] {
  const titles = header.map(({ tokens }) => inlineSpans(tokens, ['bold']))
  const cells = rows.map((row) => row.map(({ tokens }) => inlineSpans(tokens)))
  const widths = columnWidths([titles, ...cells], width)
  if (!widths) return cells.flatMap((row, index) => [...(index > 0 ? [[]] : []), ...asList(titles, row, width)])
  const rule = span(widths.map((columns) => '─'.repeat(columns)).join(' '.repeat(GAP)), 'dim')
  return [...renderRow(titles, widths), [rule], ...cells.flatMap((row) => renderRow(row, widths))]
}

type Cells = readonly (readonly Span[])[]

/** Takes from the widest until all fit. */
function columnWidths(rows: readonly Cells[], width: number): number[] | undefined {
  const count = rows[0]?.length ?? 0
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map((row) => lineWidth(row[column] ?? []))),
  )
  const room = width - GAP * (count - 1)
  if (room < Math.min(NARROWEST * count, sum(widths))) return undefined
  while (sum(widths) > room) {
    const widest = widths.indexOf(Math.max(...widths))
    widths[widest] = (widths[widest] ?? 1) - 1
  }
  return widths
}

function renderRow(row: Cells, widths: readonly number[]): Line[] {
  const columns = widths.map((width, column) => wrapSpans(row[column] ?? [], width))
  const height = Math.max(1, ...columns.map(({ length }) => length))
  return Array.from({ length: height }, (_, at) =>
    columns.flatMap((lines, column) => {
      const line = lines[at] ?? []
      const isLast = column === columns.length - 1
      const padding = isLast ? 0 : (widths[column] ?? 0) - lineWidth(line) + GAP
      return [...line, ...(padding > 0 ? [span(' '.repeat(padding))] : [])]
    }),
  )
}

function asList(titles: Cells, row: Cells, width: number): Line[] {
  return row.flatMap((cell, column) => wrapSpans([...(titles[column] ?? []), span(': '), ...cell], width))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

/** The inside of a paragraph, a heading or a cell: words with their looks. A line break is a span of one newline. */
function inlineSpans(tokens: readonly Token[], styles: readonly Style[] = []): Span[] {
  return tokens.flatMap((token) => spansOf(token, styles))
}

function spansOf(token: Token, styles: readonly Style[]): Span[] {
  switch (token.type) {
    case 'strong':
      return inlineSpans(token.tokens ?? [], [...styles, 'bold'])
    case 'em':
      return inlineSpans(token.tokens ?? [], [...styles, 'italic'])
    case 'del':
      return inlineSpans(token.tokens ?? [], [...styles, 'strike'])
    case 'codespan':
      return [words((token as Tokens.Codespan).text, [...styles, 'cyan'])]
    case 'br':
      return [{ text: '\n' }]
    case 'link':
      return link(token as Tokens.Link, styles)
    case 'image':
      return [words(`[image: ${(token as Tokens.Image).text || token.href}]`, [...styles, 'dim'])]
    case 'escape':
      return [words((token as Tokens.Escape).text, styles)]
    case 'text':
      return token.tokens ? inlineSpans(token.tokens, styles) : [words((token as Tokens.Text).text, styles)]
    default:
      return [words(token.raw, styles)]
  }
}

/** The address behind its words: a terminal that can click finds it, and nobody is led elsewhere. */
function link({ tokens, href, text }: Tokens.Link, styles: readonly Style[]): Span[] {
  const shown = inlineSpans(tokens, [...styles, 'underline'])
  const isSame = text === href || `mailto:${text}` === href
  return isSame ? shown : [...shown, words(` (${href})`, [...styles, 'dim'])]
}

function words(text: string, styles: readonly Style[]): Span {
  const clean = cleanText(text)
  return styles.length > 0 ? { text: clean, styles } : { text: clean }
}

/** Spans with line breaks in them as lines that fit. */
function wrapSpans(spans: readonly Span[], width: number): Line[] {
  const lines: Span[][] = [[]]
  for (const { text, styles } of spans) {
    text.split('\n').forEach((piece, index) => {
      if (index > 0) lines.push([])
      if (piece !== '') lines.at(-1)?.push(styles ? { text: piece, styles } : { text: piece })
    })
  }
  return lines.flatMap((line) => wrapLine(line, width))
}
