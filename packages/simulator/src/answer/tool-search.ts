import type { Block, Tool } from '../wire.js'

const DEFAULT_LIMIT = 5
const LONGEST_PATTERN = 200
const LONGEST_QUERY = 500

export function isToolSearch(block: Block): boolean {
  return block.type === 'server_tool_use' && String(block.name).startsWith('tool_search_tool')
}

/** Runs a tool search over the deferred tools and gives the block that answers it. */
export function searchTools(use: Block, tools: readonly Tool[]): Block {
  const { pattern, query, limit = DEFAULT_LIMIT } = use.input as { pattern?: string; query?: string; limit?: number }
  const deferred = tools.filter((tool) => tool.defer_loading)
  const found = pattern === undefined ? byWords(deferred, query ?? '') : byPattern(deferred, pattern)
  const content = Array.isArray(found)
    ? {
        type: 'tool_search_tool_search_result',
        tool_references: found.slice(0, limit).map((tool) => ({ type: 'tool_reference', tool_name: tool.name })),
      }
    : { type: 'tool_search_tool_result_error', error_code: 'invalid_tool_input', error_message: found }
  return { type: 'tool_search_tool_result', tool_use_id: use.id, content }
}

function byPattern(tools: readonly Tool[], pattern: string): readonly Tool[] | string {
  if (pattern.length > LONGEST_PATTERN) return `pattern exceeds ${LONGEST_PATTERN} characters`
  try {
    const expression = new RegExp(pattern.replace(/^\(\?i\)/, ''), 'i')
    return tools.filter((tool) => expression.test(textOf(tool)))
  } catch (error) {
    return (error as Error).message
  }
}

/** Ranks by how many of the words a tool has. The API uses BM25; the order of close matches may differ. */
function byWords(tools: readonly Tool[], query: string): readonly Tool[] | string {
  if (query.length > LONGEST_QUERY) return `query exceeds ${LONGEST_QUERY} characters`
  const words = query.toLowerCase().split(/\W+/).filter(Boolean)
  return tools
    .map((tool) => ({ tool, score: words.filter((word) => textOf(tool).toLowerCase().includes(word)).length }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool)
}

function textOf(tool: Tool): string {
  return `${tool.name} ${tool.description ?? ''} ${JSON.stringify(tool.input_schema ?? {})}`
}
