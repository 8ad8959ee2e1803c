import type TurndownService from 'turndown'
import { type HtmlNode, htmlNode } from './html-node.js'

type Rule = TurndownService.Rule

/** Tables as Markdown. The first row is the head, as Markdown wants one. */
export const TABLE_RULES: Readonly<Record<string, Rule>> = {
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
