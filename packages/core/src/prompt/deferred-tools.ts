import type { Epoch } from '../log/edit.js'
import type { Block, Json } from '../log/entry.js'

type ToolBytes = { readonly name?: string; readonly defer_loading?: boolean }

/** Whether a tool, as it is sent, is no part of the prompt until something refers to it. */
export function isDeferred(tool: Json): boolean {
  return (tool as ToolBytes).defer_loading === true
}

export function toolName(tool: Json): string | undefined {
  return (tool as ToolBytes).name
}

/** The API takes deferred tools only beside one that is not: without one, none is deferred. */
export function acceptableTools(tools: readonly Json[]): readonly Json[] {
  if (!tools.every(isDeferred)) return tools
  return tools.map((tool) => {
    const { defer_loading: _, ...whole } = tool as { readonly [field: string]: Json }
    return whole
  })
}

/** The tools that a block of a message brings into the prompt, by name. */
export function referencesIn({ type, content }: Block): readonly string[] {
  if (type !== 'tool_result' || !Array.isArray(content)) return []
  return (content as readonly Block[]).flatMap(({ type, tool_name }) =>
    type === 'tool_reference' ? [String(tool_name)] : [],
  )
}

/**
 * The content of a result, with words for each reference to a tool that the request does not begin with: the API would
 * refuse this request and all that follow.
 */
export function knownReferences(content: readonly Block[], { tools }: Epoch): readonly Block[] {
  if (!content.some(({ type }) => type === 'tool_reference')) return content
  const names = new Set(tools.map(toolName))
  return content.map((block) => {
    if (block.type !== 'tool_reference' || names.has(String(block.tool_name))) return block
    return { type: 'text', text: `The tool ${block.tool_name} is new: it can be called once it has been announced.` }
  })
}
