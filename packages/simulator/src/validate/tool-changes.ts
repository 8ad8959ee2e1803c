import { invalid } from '../api-error.js'
import { toolReferences } from '../prompt/build-prompt.js'
import type { Block, MessagesBody, Tool } from '../wire.js'
import { BETA } from './betas.js'
import { type Conversation, type Part, pathOf } from './turns.js'

const CHANGING = ['tool_result', 'tool_search_tool_result', 'tool_addition', 'tool_removal', 'compaction']

/** The tools on offer at the end of a conversation, after all that added, removed or discovered one. */
export function toolsAtEnd(
  body: MessagesBody,
  { parts, kinds }: Conversation,
  betas: ReadonlySet<string>,
): readonly Tool[] {
  const atStart = body.tools.filter((tool) => !tool.defer_loading)
  if (!CHANGING.some((kind) => kinds.has(kind))) return atStart
  const known = new Map(body.tools.map((tool) => [tool.name, tool]))
  const offered = new Set(atStart.map((tool) => tool.name))
  const isResumed = kinds.has('compaction')
  for (const part of isResumed ? parts.flatMap(changesIn) : parts) {
    const { block } = part
    if (block.type === 'tool_addition' || block.type === 'tool_removal') {
      const name = changedTool(part, known, betas)
      if (!known.has(name)) throw invalid(`${pathOf(part)}: ${notFound(name)}`, { code: 'tool_reference_unresolved' })
      if (block.type === 'tool_addition') offered.add(name)
      else offered.delete(name)
      continue
    }
    if (block.type !== 'tool_result' && block.type !== 'tool_search_tool_result') continue
    for (const name of toolReferences(block)) {
      // The API says this without a path and without a code, unlike what it says about a change of tools.
      if (!known.has(name)) throw invalid(notFound(name))
      offered.add(name)
    }
  }
  return [...known.values()].filter((tool) => offered.has(tool.name))
}

function notFound(name: string): string {
  return `Tool reference '${name}' not found in available tools`
}

/** A summary carries the changes of the range that it stands for. */
function changesIn(part: Part): Part[] {
  const changes = part.block.type === 'compaction' ? part.block.tool_changes : undefined
  return Array.isArray(changes) ? (changes as Block[]).map((block) => ({ ...part, block })) : [part]
}

/** The name a change speaks of; a definition that comes with it is learnt on the way. */
function changedTool(part: Part, known: Map<string, Tool>, betas: ReadonlySet<string>): string {
  const tool = part.block.tool as Block
  if (tool.type === 'tool_reference') return tool.name as string
  if (tool.type !== 'tool_definition') throw invalid(`${pathOf(part)}.tool: MCP tools are not simulated by this server`)
  if (!betas.has(BETA.inlineTools)) {
    throw invalid(`${pathOf(part)}.tool: \`tool_definition\` requires anthropic-beta: ${BETA.inlineTools}`)
  }
  const definition = tool.definition as Tool
  if (known.has(definition.name)) {
    throw invalid(`${pathOf(part)}.tool: a tool named '${definition.name}' exists already`, {
      code: 'tool_name_conflict',
    })
  }
  known.set(definition.name, definition)
  return definition.name
}
