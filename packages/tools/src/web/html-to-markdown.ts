import TurndownService from 'turndown'
import { limitTime } from '../limit-time.js'
import { type HtmlNode, htmlNode } from './html-node.js'
import { TABLE_RULES } from './html-tables.js'
import { plainWords } from './plain-words.js'

// What is longer or takes longer is made to be so, or is no page to read: then the words alone have to do.
const MAX_CHARS = 4_000_000
const MAX_TIME = 3_000
// Where the title and the base are looked for.
const HEAD_CHARS = 16_384

const NOISE: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'iframe',
  'object',
  'svg',
  'canvas',
  'nav',
  'footer',
  'button',
  'input',
  'select',
  'textarea',
  'head',
  'link',
  'meta',
  'title',
])

export interface HtmlPage {
  readonly title: string
  readonly markdown: string
}

/** A page as Markdown: without scripts, styles and navigation, with links that lead somewhere from anywhere. */
export function htmlToMarkdown(html: string, url: URL): HtmlPage {
  const base = baseOf(html, url)
  return {
    title: titleOf(html),
    markdown: converted(html, base)
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
  }
}

function converted(html: string, base: URL): string {
  const words = () => plainWords(html)
  if (html.length > MAX_CHARS) return words()
  try {
    return limitTime(MAX_TIME, () => converter(base).turndown(html), words)
  } catch {
    // Folded too deep for the stack: the words are still there.
    return words()
  }
}

function converter(base: URL): TurndownService {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  })
  // As a rule and not by `remove`, which comes after the rules for paragraphs and the like.
  service.addRule('noise', { filter: (node) => isNoise(htmlNode(node)), replacement: () => '' })
  for (const [name, rule] of Object.entries(TABLE_RULES)) service.addRule(name, rule)
  service.addRule('absolute-link', {
    filter: (node) => node.nodeName === 'A',
    replacement(content, node) {
      const href = absolute(htmlNode(node).getAttribute('href'), base)
      const text = content.trim().replace(/\s*\n\s*/g, ' ')
      return href === undefined || text === '' ? content : `[${text}](${href})`
    },
  })
  service.addRule('absolute-image', {
    filter: 'img',
    replacement(_content, node) {
      const source = absolute(htmlNode(node).getAttribute('src'), base)
      const text = (htmlNode(node).getAttribute('alt') ?? '').trim().replace(/\s+/g, ' ')
      return source === undefined || text === '' ? '' : `![${text}](${source})`
    },
  })
  return service
}

function isNoise(node: HtmlNode): boolean {
  if (NOISE.has(node.nodeName.toLowerCase())) return true
  return node.getAttribute('hidden') !== null || node.getAttribute('aria-hidden') === 'true'
}

/** Nothing for what leads nowhere: scripts, data, places on the same page. */
function absolute(link: string | null, base: URL): string | undefined {
  if (link === null || link.startsWith('#') || !URL.canParse(link, base.href)) return undefined
  const { href, protocol } = new URL(link, base.href)
  return ['http:', 'https:', 'mailto:'].includes(protocol)
    ? href.replaceAll('(', '%28').replaceAll(')', '%29')
    : undefined
}

function baseOf(html: string, url: URL): URL {
  const href = /<base\s[^>]*?href\s*=\s*["']?([^"'\s>]+)/i.exec(html.slice(0, HEAD_CHARS))?.[1]
  return href !== undefined && URL.canParse(href, url.href) ? new URL(href, url.href) : url
}

function titleOf(html: string): string {
  const title = /<title[^>]*>([^<]*)/i.exec(html.slice(0, HEAD_CHARS))?.[1] ?? ''
  return plainWords(title).replace(/\s+/g, ' ').trim()
}
