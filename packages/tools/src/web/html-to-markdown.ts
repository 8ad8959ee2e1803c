import TurndownService from 'turndown'
import { limitTime } from '../limit-time.js'

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

export interface PageText {
  readonly title: string
  readonly text: string
}

/** A page as Markdown: without scripts, styles and navigation, with links that lead somewhere from anywhere. */
export function htmlToMarkdown(html: string, url: URL): PageText {
  const base = baseOf(html, url)
  return {
    title: titleOf(html),
    text: converted(html, base)
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

type Rule = TurndownService.Rule

/** Tables as Markdown. The first row is the head, as Markdown wants one. */
const TABLE_RULES: Readonly<Record<string, Rule>> = {
  cell: {
    filter: ['td', 'th'],
    replacement: (content) =>
      `| ${content
        .trim()
        .replaceAll('|', '\\|')
        .replace(/\s*\n\s*/g, ' ')} `,
  },
  row: {
    filter: 'tr',
    replacement: (content, node) =>
      content.trim() === '' ? '' : `${content.trim()} |\n${isFirst(htmlNode(node)) ? divider(htmlNode(node)) : ''}`,
  },
  section: { filter: ['thead', 'tbody', 'tfoot'], replacement: (content) => content },
  table: { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` },
}

function divider(row: HtmlNode): string {
  return `${'| --- '.repeat(cellsOf(row))}|\n`
}

function cellsOf(row: HtmlNode): number {
  return Array.from(row.childNodes).filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH').length
}

function isFirst(row: HtmlNode): boolean {
  const section = row.parentNode
  if (hasRowBefore(row)) return false
  return section?.nodeName === 'TABLE' || section === null || !hasRowBefore(section)
}

function hasRowBefore(node: HtmlNode): boolean {
  for (let at = node.previousSibling; at; at = at.previousSibling) {
    if (['TR', 'THEAD', 'TBODY'].includes(at.nodeName)) return true
  }
  return false
}

/** As much as is needed of the nodes that the converter hands to its rules. */
interface HtmlNode {
  readonly nodeName: string
  readonly parentNode: HtmlNode | null
  readonly previousSibling: HtmlNode | null
  readonly childNodes: ArrayLike<HtmlNode>
  getAttribute(name: string): string | null
}

/** The converter's own type is the browser's, which is another one in every program. */
function htmlNode(node: unknown): HtmlNode {
  return node as HtmlNode
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of a page without its tags, scripts and styles. Takes as long as the page is, whatever is in it. */
function plainWords(html: string): string {
  const parts: string[] = []
  let at = 0
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', at)) {
    parts.push(html.slice(at, open), ' ')
    at = endOfTag(html, open)
  }
  parts.push(html.slice(at))
  return parts
    .join('')
    .replace(/[ \t]+/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi, entity)
}

/** Where the words go on. What is not there is looked for once, as nothing comes after it. */
function endOfTag(html: string, open: number): number {
  const silent = ['script', 'style'].find((name) => html.slice(open + 1, open + 1 + name.length).toLowerCase() === name)
  const end = new RegExp(silent === undefined ? '>' : `</${silent}\\s*>?`, 'gi')
  end.lastIndex = open
  return end.test(html) ? end.lastIndex : html.length
}

function entity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return point <= 0x10ffff ? String.fromCodePoint(point) : whole
}
