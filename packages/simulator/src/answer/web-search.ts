import { digest } from '../measure/digest.js'
import type { ReplyBlock } from '../replies/model.js'
import type { Seals } from '../thinking/signatures.js'
import type { Block, Tool } from '../wire/messages.js'

/** A page that a search comes upon; its text is sealed, as the API seals it. */
export interface SearchPage {
  readonly url: string
  readonly title: string
  readonly text: string
  /** In words, such as `April 30, 2026`. */
  readonly age?: string
}

/** What the web says to a search: pages, or what went wrong by the API's code. */
export type SearchAnswer = readonly SearchPage[] | { readonly error: SearchError }

export type SearchError =
  | 'invalid_tool_input'
  | 'unavailable'
  | 'max_uses_exceeded'
  | 'too_many_requests'
  | 'query_too_long'
  | 'request_too_large'

export type WebSearch = (query: string) => SearchAnswer

/** Finds two pages that say no more than what was asked, the same ones for the same words. */
export function offlineSearch(query: string): SearchAnswer {
  return ['one', 'two'].map((name) => ({
    url: `https://${name}.example/${digest(query).replace(/\W/g, '').slice(0, 8)}`,
    title: `Page ${name} on ${query}`,
    text: `There is no web here: this page says only that somebody looked for "${query}".`,
  }))
}

/** The tool by which a model may search, where a block is a search and the request has it. */
export function searchTool(block: Block, tools: readonly Tool[]): Tool | undefined {
  if (block.type !== 'server_tool_use' || block.name !== 'web_search') return undefined
  return tools.find(({ type }) => type?.startsWith('web_search_'))
}

/** A search that the client has sent back without its result: the turn was paused on it. */
export function openSearch(blocks: readonly Block[]): Block | undefined {
  const last = blocks.at(-1)
  return last?.type === 'server_tool_use' && last.name === 'web_search' ? last : undefined
}

const LONGEST_QUERY = 400

interface SearchLimits {
  readonly tool: Tool
  /** Searches in this request so far. */
  readonly used: number
}

/** Runs a search and gives the block that answers it. */
export function searchWeb(use: Block, { tool, used }: SearchLimits, search: WebSearch, seals: Seals): Block {
  const found = pagesFor((use.input as { query?: unknown }).query, tool, used, search)
  const content =
    'error' in found
      ? { type: 'web_search_tool_result_error', error_code: found.error }
      : found.filter(({ url }) => isWanted(url, tool)).map((page) => resultOf(page, seals))
  return { type: 'web_search_tool_result', tool_use_id: use.id, content, caller: { type: 'direct' } }
}

function pagesFor(query: unknown, { max_uses }: Tool, used: number, search: WebSearch): SearchAnswer {
  if (typeof query !== 'string' || query.trim() === '') return { error: 'invalid_tool_input' }
  if (query.length > LONGEST_QUERY) return { error: 'query_too_long' }
  if (typeof max_uses === 'number' && used >= max_uses) return { error: 'max_uses_exceeded' }
  return search(query)
}

function isWanted(url: string, { allowed_domains, blocked_domains }: Tool): boolean {
  const isIn = (domains: unknown) => (domains as readonly string[]).some((domain) => isBelow(url, domain))
  if (Array.isArray(allowed_domains)) return isIn(allowed_domains)
  return !(Array.isArray(blocked_domains) && isIn(blocked_domains))
}

/** Whether an address is in a domain, in one below it, or below a path of it. */
function isBelow(url: string, domain: string): boolean {
  const { hostname, pathname } = new URL(url)
  const [host = '', ...path] = domain.split('/')
  return (hostname === host || hostname.endsWith(`.${host}`)) && pathname.startsWith(`/${path.join('/')}`)
}

function resultOf({ url, title, text, age = '' }: SearchPage, seals: Seals): Block {
  const encrypted_content = seals.page.close({ url, text })
  return { type: 'web_search_result', url, title, encrypted_content, page_age: age === '' ? null : age }
}

/** Whether a search was billed: those that went wrong are not. */
export function isBilled({ content }: Block): boolean {
  return Array.isArray(content)
}

/** A text whose sources were named by address, with each of them as the API names it. */
export function withCitations(block: ReplyBlock, seals: Seals): ReplyBlock {
  if (typeof block === 'string' || block.type !== 'text' || !('citations' in block)) return block
  const { citations } = block
  if (!Array.isArray(citations)) return block
  return { ...block, citations: citations.map((citation: Citation) => locate(citation, seals)) }
}

interface Citation {
  readonly type?: string
  readonly url?: string
  readonly title?: string | null
  readonly cited_text?: string
}

function locate(citation: Citation, seals: Seals): Citation {
  const { type, url, title = null, cited_text = '' } = citation
  if (type !== undefined || url === undefined) return citation
  const encrypted_index = seals.page.close({ url, text: cited_text })
  return { type: 'web_search_result_location', cited_text, url, title, encrypted_index } as Citation
}
