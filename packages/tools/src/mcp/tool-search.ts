import type { Tool, ToolContext, ToolResult } from '@nacre/core'
import { z } from 'zod'
import { defineTool, type ShownTool, textResult } from '../define-tool.js'
import { CALL_TOOL } from './call-tool.js'
import { rankTools } from './rank-tools.js'

export const TOOL_SEARCH = 'ToolSearch'

const DESCRIPTION = [
  'Finds tools of MCP servers. They are not at hand until they were found here.',
  'Queries: words, for the tools whose name or description fits best; +word for a word that has to be there;',
  'select:name1,name2 for tools whose names are known.',
].join(' ')

export interface SearchParts {
  tools(): readonly Tool[]
  /** Whether the model takes references to tools; otherwise they are described in words. */
  readonly takesReferences: boolean
  /** Keeps the names of tools that were found. */
  found(names: readonly string[], context: ToolContext): Promise<void>
}

/** Loads deferred tools: the result refers to them, and from then on they can be called. */
export function toolSearch({ tools, takesReferences, found }: SearchParts): ShownTool {
  const how = takesReferences
    ? 'Tools that are found can be called by their names from then on.'
    : `Tools that are found are called through ${CALL_TOOL}.`
  const tool = defineTool({
    name: TOOL_SEARCH,
    description: `${DESCRIPTION} ${how}`,
    input: z.object({
      query: z.string().min(1).max(500),
      max_results: z.number().int().min(1).max(50).default(5),
    }),
    // One after the other: what was found before is kept with what is found now.
    traits: { isReadOnly: true, isConcurrencySafe: false, isCompactable: false },
    title: ({ query }) => `Look for tools: ${query}`,
    async run({ query, max_results }, context) {
      const matches = rankTools(tools(), query, max_results)
      if (matches.length === 0) return nothingFits(query, tools().length)
      await found(
        matches.map(({ name }) => name),
        context,
      )
      return takesReferences ? references(matches) : textResult(matches.map(described).join('\n\n'))
    },
    show: (_input, { content }) => content.map(({ tool_name, text }) => String(tool_name ?? text)).join('\n'),
  })
  return tool as ShownTool
}

function references(matches: readonly Tool[]): ToolResult {
  return { content: matches.map(({ name }) => ({ type: 'tool_reference', tool_name: name })) }
}

function described({ name, description, schema }: Tool): string {
  return `${name}: ${description}\nInput: ${JSON.stringify(schema.json)}`
}

function nothingFits(query: string, count: number): ToolResult {
  return textResult(`None of ${count} tools fits '${query}'. Try fewer or more general words.`)
}
