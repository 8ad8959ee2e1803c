import { invalid } from '../api-error.js'
import type { ModelSpec } from '../models/model-spec.js'
import type { Effort, MessagesBody, Tool } from '../wire.js'
import { BETA } from './betas.js'
import type { Dialect } from './request-shape.js'

/** The effort in force, whether it was named or not. */
export function effortOf(body: MessagesBody, spec: ModelSpec): Effort | null {
  return body.output_config?.effort ?? spec.effort
}

/** Whether the model may think in this request. */
export function thinks(body: MessagesBody, spec: ModelSpec): boolean {
  return body.thinking ? body.thinking.type !== 'disabled' : spec.thinking.byDefault
}

export function checkMaxTokens(body: MessagesBody, spec: ModelSpec): void {
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

export function checkThinkingSettings(body: MessagesBody, spec: ModelSpec, endpoint: Dialect['endpoint']): void {
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

export function checkEffort(body: MessagesBody, spec: ModelSpec): void {
  if (body.output_config?.effort && spec.effort === null)
    throw invalid('This model does not support the effort parameter.')
}

export function isForced(body: MessagesBody): boolean {
  return body.tool_choice?.type === 'any' || body.tool_choice?.type === 'tool'
}

export function checkToolChoice(body: MessagesBody, spec: ModelSpec): void {
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

export function checkTools(tools: readonly Tool[]): void {
  const names = new Set<string>()
  tools.forEach((tool, index) => {
    if (names.has(tool.name)) throw invalid('tools: Tool names must be unique.', { code: 'tool_name_conflict' })
    names.add(tool.name)
    if (tool.defer_loading && tool.cache_control) {
      throw invalid(`tools.${index}.custom.cache_control: a tool with defer_loading=true can not have cache_control`)
    }
  })
  if (tools.length > 0 && tools.every((tool) => tool.defer_loading)) {
    throw invalid('At least one tool must have defer_loading=false. All tools cannot be deferred.')
  }
}

export function checkSpeed(body: MessagesBody, betas: ReadonlySet<string>): void {
  if (body.speed === 'fast' && !betas.has(BETA.fastMode)) {
    throw invalid(`speed: 'fast' requires anthropic-beta: ${BETA.fastMode}`)
  }
}
