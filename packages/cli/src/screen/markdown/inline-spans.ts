import type { Token, Tokens } from 'marked'
import { cleanText } from '../../text/clean-text.js'
import type { Span, Style } from '../text/span.js'

/** The inside of a paragraph, a heading or a cell: words with their looks. A line break is a span of one newline. */
export function inlineSpans(tokens: readonly Token[], styles: readonly Style[] = []): Span[] {
  return tokens.flatMap((token) => inline(token, styles))
}

function inline(token: Token, styles: readonly Style[]): Span[] {
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
