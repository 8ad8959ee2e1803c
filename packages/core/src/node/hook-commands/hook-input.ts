import type { HookContext } from '../../contract/hooks.js'
import type { ToolCall } from '../../contract/tool.js'

/** The tool call that an event is about, if it is about one. */
export function callOf(hook: string, event: object): ToolCall | undefined {
  const { call, value } = event as { readonly call?: ToolCall; readonly value?: ToolCall }
  return hook === 'PrepareToolUse' ? value : call
}

/** What a command gets on its standard input. The event's own fields are as plugins see them. */
export function hookInput(hook: string, event: object, context: HookContext, cwd: string): string {
  const call = callOf(hook, event)
  const input = {
    session_id: context.sessionId,
    session_source: context.source,
    cwd,
    ...(call && { tool_name: call.name, tool_input: call.input }),
    ...event,
    hook_event_name: hook,
  }
  return JSON.stringify(input, withoutMachinery)
}

/** A view is the whole conversation and a tool is mostly functions: a command gets what tells them apart. */
function withoutMachinery(key: string, value: unknown): unknown {
  if (value instanceof Error) return { name: value.name, message: value.message }
  if (key === 'view' && isObject(value) && 'rounds' in value) return { version: value.version, tokens: value.tokens }
  if (key === 'tool' && isObject(value) && 'run' in value) return { name: value.name, description: value.description }
  return value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
