import { lexer, type Token, type Tokens } from 'marked'
import { cleanText } from '../../text/clean-text.js'
import { lineWidth } from '../text/line-width.js'
import { type Line, type Span, span } from '../text/span.js'
import { wrapLine } from '../text/wrap-line.js'
import { inlineSpans } from './inline-spans.js'
import { renderTable } from './render-table.js'
import { wrapSpans } from './wrap-spans.js'

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
