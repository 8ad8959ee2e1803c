import { effortOf, isForced, type ModelSpec } from '../models/model-spec.js'
import { invalid } from '../wire/api-error.js'
import { BETA } from '../wire/betas.js'
import {
  type Block,
  type Conversation,
  loadedTools,
  type MessagesBody,
  type Part,
  pathOf,
  type Tool,
  toolReferences,
} from '../wire/messages.js'
import { checkSearchTool } from './check-search.js'
import type { Dialect } from './read-request.js'

/** Whether the settings of a request go with its model, with its betas, and with one another. */
export function checkSettings(body: MessagesBody, spec: ModelSpec, { endpoint, betas }: Dialect): void {
  if (endpoint === 'messages') checkMaxTokens(body, spec)
  checkThinkingSettings(body, spec, endpoint)
  checkEffort(body, spec)
  checkToolChoice(body, spec)
  checkSpeed(body, betas)
  checkTools(body.tools)
}

function checkMaxTokens(body: MessagesBody, spec: ModelSpec): void {
  if (body.max_tokens > spec.maxOutput) {
    throw invalid(
      `max_tokens: ${body.max_tokens} > ${spec.maxOutput}, which is the maximum allowed number of output tokens for ${spec.id}`,
    )
  }
  if (body.max_tokens === 0) checkPrewarm(body)
}

/** A request for no output only fills the cache, so nothing that shapes output goes with it. */
function checkPrewarm(body: MessagesBody): void {
  const clash = body.stream
    ? '`stream`'
    : body.thinking?.type === 'enabled'
      ? '`thinking.type: enabled`'
      : body.output_config?.format
        ? '`output_config.format`'
        : isForced(body)
          ? '`tool_choice` of type `any` or `tool`'
          : undefined
  if (clash) throw invalid(`max_tokens: 0 can not be combined with ${clash}`)
}

function checkThinkingSettings(body: MessagesBody, spec: ModelSpec, endpoint: Dialect['endpoint']): void {
  const { thinking } = body
  if (!thinking) return
  const { types } = spec.thinking
  if (!types.includes(thinking.type)) throw invalid(unsupportedThinking(thinking.type))
  if (endpoint === 'messages' && thinking.type === 'enabled' && (thinking.budget_tokens ?? 0) >= body.max_tokens) {
    throw invalid('`max_tokens` must be greater than `thinking.budget_tokens`')
  }
  const effort = effortOf(body, spec)
  const isStrong = effort === 'xhigh' || effort === 'max'
  if (isStrong && spec.thinking.isNeededAboveHigh && thinking.type !== 'adaptive') {
    throw invalid(`"thinking.type.${thinking.type}" is not supported with "output_config.effort" above "high".`)
  }
}

function unsupportedThinking(type: string): string {
  if (type === 'adaptive') return 'adaptive thinking is not supported on this model'
  const advice = ' Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
  return `"thinking.type.${type}" is not supported for this model.${advice}`
}

function checkEffort(body: MessagesBody, spec: ModelSpec): void {
  if (body.output_config?.effort && spec.effort === null)
    throw invalid('This model does not support the effort parameter.')
}

function checkToolChoice(body: MessagesBody, spec: ModelSpec): void {
  const choice = body.tool_choice
  if (!choice) return
  if (body.tools.length === 0) throw invalid('tool_choice may only be specified while providing tools.')
  if (isForced(body) && !spec.forcedToolChoice) {
    throw invalid('tool_choice: type "tool" and "any" are not supported for this model.')
  }
  if (isForced(body) && body.thinking?.type === 'enabled') {
    throw invalid('Thinking may not be enabled when tool_choice forces tool use.')
  }
  if (choice.type === 'tool' && !body.tools.some((tool) => tool.name === choice.name)) {
    throw invalid(`Tool '${choice.name}' not found in provided tools`)
  }
}

function checkSpeed(body: MessagesBody, betas: ReadonlySet<string>): void {
  if (body.speed === 'fast' && !betas.has(BETA.fastMode)) {
    throw invalid(`speed: 'fast' requires anthropic-beta: ${BETA.fastMode}`)
  }
}

function checkTools(tools: readonly Tool[]): void {
  const names = new Set<string>()
  tools.forEach((tool, index) => {
    if (names.has(tool.name)) throw invalid('tools: Tool names must be unique.', { code: 'tool_name_conflict' })
    names.add(tool.name)
    checkSearchTool(tool, index)
    if (tool.defer_loading && tool.cache_control) {
      throw invalid(`tools.${index}.custom.cache_control: a tool with defer_loading=true can not have cache_control`)
    }
  })
  if (tools.length > 0 && tools.every((tool) => tool.defer_loading)) {
    throw invalid('At least one tool must have defer_loading=false. All tools cannot be deferred.')
  }
}

const CHANGING = ['tool_result', 'tool_search_tool_result', 'tool_addition', 'tool_removal', 'compaction']

/** The tools on offer at the end of a conversation, after all that added, removed or discovered one. */
export function toolsAtEnd(
  body: MessagesBody,
  { parts, kinds }: Conversation,
  betas: ReadonlySet<string>,
): readonly Tool[] {
  const atStart = loadedTools(body.tools)
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
