import type { Tool, ToolCall } from '../contract/tool.js'
import type { Json } from '../log/entry.js'
import type { Agent } from './agent.js'

/** A call that may run, or why it may not. */
export type Judged =
  | { readonly call: ToolCall; readonly tool: Tool; readonly input: unknown }
  | { readonly call: ToolCall; readonly denied: string }

/** Prepares a call, checks its input and asks every gate: what is judged is what will run. */
export async function judgeCall(agent: Agent, asked: ToolCall): Promise<Judged> {
  const tool = agent.tool(asked.name)
  if (!tool) return { call: asked, denied: `There is no tool '${asked.name}', or it is not available now.` }
  const forbidden = agent.forbids(asked, tool)
  if (forbidden !== undefined) return { call: asked, denied: forbidden }
  const { value: call } = await agent.hooks.transform('PrepareToolUse', { tool, value: asked })
  const parsed = parse(tool, call.input)
  if ('problem' in parsed) return { call, denied: `The input does not fit: ${parsed.problem}` }
  const denied = await findObjection(agent, call, tool, parsed.input)
  return denied === undefined ? { call, tool, input: parsed.input } : { call, denied }
}

function parse(tool: Tool, input: Json): { readonly input: unknown } | { readonly problem: string } {
  try {
    return { input: tool.schema.parse(input) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** Gates fail closed: a hook that throws or hangs is a no. */
async function findObjection(agent: Agent, call: ToolCall, tool: Tool, input: unknown): Promise<string | undefined> {
  try {
    const gate = await agent.hooks.decide('PreToolUse', { call, tool }, ['deny', 'ask', 'allow'])
    if (gate?.verdict === 'deny') return gate.reason
    const rule = await tool.check?.(input, agent.toolContext(call))
    if (rule?.verdict === 'deny') return rule.reason
    const question =
      gate?.verdict === 'ask' ? gate : rule?.verdict === 'ask' && gate?.verdict !== 'allow' ? rule : undefined
    return question ? await askPermission(agent, call, question.reason) : undefined
  } catch (error) {
    return (error as Error).message
  }
}

async function askPermission(agent: Agent, call: ToolCall, reason: string): Promise<string | undefined> {
  const verdict = await agent.hooks.decide('PermissionRequest', { call, reason }, ['deny', 'allow'])
  if (verdict) return verdict.verdict === 'deny' ? verdict.reason : undefined
  const said = await agent.askPerson(call, reason)
  if (said === 'allow') return undefined
  return said === 'deny' ? `Permission was not given: ${reason}` : `The person said no to this call: ${said.deny}`
}
