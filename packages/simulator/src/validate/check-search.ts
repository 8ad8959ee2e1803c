import type { Seals } from '../thinking/signatures.js'
import { invalid } from '../wire/api-error.js'
import { type Block, type Conversation, type Part, pathOf, type Tool } from '../wire/messages.js'

/** What a shape can not say of the definition of a web search. */
export function checkSearchTool(tool: Tool, index: number): void {
  if (!tool.type?.startsWith('web_search_')) return
  const { allowed_domains, blocked_domains } = tool
  if (Array.isArray(allowed_domains) && Array.isArray(blocked_domains)) {
    throw invalid(`tools.${index}: only one of \`allowed_domains\` and \`blocked_domains\` may be given`)
  }
  for (const domain of [allowed_domains, blocked_domains].flatMap((list) => (list ?? []) as readonly string[])) {
    if (domain.includes('://')) {
      throw invalid(`tools.${index}: \`${domain}\` is no domain: leave out the scheme, as in \`example.com\``)
    }
  }
  if (tool.type !== 'web_search_20250305' && String(tool.allowed_callers) !== 'direct') {
    throw invalid(
      `tools.${index}: searches from code execution are not simulated by this server; set \`allowed_callers\` to ["direct"]`,
    )
  }
}

/** Found pages and citations come back as they were given: their sealed parts are opened. */
export function checkSearchResults({ parts, kinds }: Conversation, seals: Seals): void {
  if (!kinds.has('web_search_tool_result')) return
  for (const part of parts) {
    if (part.block.type === 'web_search_tool_result') checkPages(part, seals)
    if (part.block.type === 'text') checkCitations(part, seals)
  }
}

function checkPages(part: Part, seals: Seals): void {
  const { content } = part.block
  if (!Array.isArray(content)) return
  for (const { url, encrypted_content } of content as readonly Block[]) {
    if (seals.page.open(String(encrypted_content))?.url === url) continue
    throw invalid(`${pathOf(part)}: Invalid \`encrypted_content\` in \`web_search_tool_result\` block`)
  }
}

function checkCitations(part: Part, seals: Seals): void {
  const { citations } = part.block
  if (!Array.isArray(citations)) return
  for (const { type, url, encrypted_index } of citations as readonly Block[]) {
    if (type !== 'web_search_result_location' || seals.page.open(String(encrypted_index))?.url === url) continue
    throw invalid(`${pathOf(part)}: Invalid \`encrypted_index\` in a citation`)
  }
}
