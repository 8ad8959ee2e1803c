import type { Handler, Tool, ToolCall } from '@nacre/core'
import { z } from 'zod'
import { defineTool, errorResult, type ShownTool } from '../define-tool.js'

export const CALL_TOOL = 'CallMcpTool'

const input = z.object({
  name: z.string().describe('The name of a tool, as ToolSearch gave it.'),
  input: z.record(z.string(), z.unknown()).default({}),
})

type Find = (name: string) => Tool | undefined

/** Calls tools that the request does not name, for models that take none in the middle of a conversation. */
export function callTool(find: Find): ShownTool {
  const tool = defineTool({
    name: CALL_TOOL,
    description:
      'Calls a tool of an MCP server that ToolSearch has found. The input has to fit the schema given there.',
    input,
    traits: { isCompactable: false },
    title: ({ name }) => `Call ${name}`,
    check: ({ name, input }, context) => find(name)?.check?.(input, context),
    run({ name, input }, context) {
      const target = find(name)
      return target?.run(input, context) ?? errorResult(`There is no tool '${name}', or it is not available now.`)
    },
  })
  return tool as ShownTool
}

/** Lets the gates judge the call that will really be made: a rule about a tool holds also when it is called this way. */
export function judgeCallTool(find: Find): Handler<'PreToolUse'> {
  return ({ call }, { hooks }) => {
    const target = call.name === CALL_TOOL ? targetOf(call, find) : undefined
    return target && hooks.decide('PreToolUse', target, ['deny', 'ask', 'allow'])
  }
}

function targetOf(call: ToolCall, find: Find): { readonly call: ToolCall; readonly tool: Tool } | undefined {
  const { data } = input.safeParse(call.input)
  const tool = data && find(data.name)
  return tool && { call: { id: call.id, name: data.name, input: data.input as ToolCall['input'] }, tool }
}
