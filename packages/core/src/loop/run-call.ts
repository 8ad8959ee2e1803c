import { leaveAlone, onAbort } from '../async.js'
import { isNacreError, messageOf, shown } from '../errors.js'
import { isText, readResult, readVerdict } from '../hooks/read-answer.js'
import type { Denial } from '../types/events.js'
import { gateVerdicts } from '../types/hooks.js'
import type { Block, Json } from '../types/log.js'
import type { Tool, ToolCall, ToolResult, Verdict } from '../types/tool.js'
import type { Agent } from './agent.js'

const INTERRUPTED = 'Interrupted by the user. The call may or may not have run to its end.'
const NOT_BEGUN = 'Interrupted by the user before the call began: it did not run.'

/** What came of a call, and what plugins made of it on the way to the model. */
export interface Outcome {
  /** As it was judged, and ran if it did. */
  readonly call: ToolCall
  readonly result: ToolResult
  readonly changes: readonly { readonly owner: string; readonly value: ToolResult }[]
  /** Who kept it from running. */
  readonly denied?: Denial
}

/** Asks the gates about a call, and runs it if they let it pass and nobody has stopped meanwhile. Never rejects. */
export async function judgeAndRun(agent: Agent, call: ToolCall): Promise<Outcome> {
  const notBegun = () => notRun(call, { by: 'interruption', reason: NOT_BEGUN })
  if (agent.signal.aborted) return notBegun()
  // A rule or a person may be waited for: whoever stops the query does not wait with it.
  const judged = await untilAborted(judgeCall(agent, call), agent.signal).catch((error: unknown) => {
    if (agent.signal.aborted) return undefined
    throw error
  })
  if (!judged) return notBegun()
  if (agent.signal.aborted) return notRun(judged.call, { by: 'interruption', reason: NOT_BEGUN })
  return 'denied' in judged ? notRun(judged.call, judged.denied) : runCall(agent, judged)
}

/** A call that did not run: the model reads why. */
export function notRun(call: ToolCall, denied: Denial): Outcome {
  return { ...failure(call, denied.reason), denied }
}

/** Runs a judged call. Whatever goes wrong becomes a result: the model can read it, and the loop goes on. */
async function runCall(agent: Agent, { call, tool, input }: Passed): Promise<Outcome> {
  agent.emit({ type: 'tool-start', call })
  // Whoever hears of it may have stopped it.
  if (agent.signal.aborted) return notRun(call, { by: 'interruption', reason: NOT_BEGUN })
  try {
    // One for each call: many that listen to the same signal are taken for a leak.
    const signal = AbortSignal.any([agent.signal])
    const work = watched(agent, tool, tool.run(input, { ...agent.toolContext(call), signal }))
    const result = readResult(tool.name, await untilAborted(work, signal))
    const { changes } = await agent.hooks.transform('PostToolUse', { call, value: result })
    return { call, result, changes }
  } catch (thrown) {
    if (agent.signal.aborted) return failure(call, INTERRUPTED)
    const error = thrown instanceof Error ? thrown : new Error(messageOf(thrown), { cause: thrown })
    const failed = failure(call, error.message || 'The tool failed without saying why.')
    const { changes } = await agent.hooks.transform('PostToolUseFailure', { call, error, value: failed.result })
    return { ...failed, changes }
  }
}

function failure(call: ToolCall, text: string): Outcome {
  return { call, result: { content: [{ type: 'text', text }], isError: true }, changes: [] }
}

function watched<Work>({ watch }: Agent, { name }: Pick<Tool, 'name'>, work: Work): Work {
  return watch ? watch({ what: 'tool', name }, work) : work
}

/** A tool that does not listen to its signal is left behind: the person is not made to wait for it. */
function untilAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    const stopHearing = onAbort(signal, stop)
    Promise.resolve(work).then(resolve, reject).finally(stopHearing)
  })
}

/** A call that may run. */
interface Passed {
  readonly call: ToolCall
  readonly tool: Tool
  readonly input: unknown
}

type Judged = Passed | { readonly call: ToolCall; readonly denied: Denial }

/** Prepares a call, checks its input and asks every gate: what is judged is what will run. */
async function judgeCall(agent: Agent, asked: ToolCall): Promise<Judged> {
  const { name } = asked
  try {
    const tool = agent.tool(name)
    if (!tool) {
      const reason = `There is no tool '${name}', or it is not available now.`
      return { call: asked, denied: { by: 'unknown', name, reason } }
    }
    const forbidden = forbiddenBy(agent, asked, tool)
    if (forbidden) return { call: asked, denied: forbidden }
    const { value: call } = await agent.hooks.transform('PrepareToolUse', { tool, value: asked })
    const parsed = parse(tool, call.input)
    if ('problem' in parsed) {
      return { call, denied: { by: 'input', name, reason: `The input does not fit: ${parsed.problem}` } }
    }
    const denied = await findObjection(agent, call, tool, parsed.input)
    return denied ? { call, denied } : { call, tool, input: parsed.input }
  } catch (error) {
    return { call: asked, denied: { by: 'tool', name, reason: `The call could not be judged: ${messageOf(error)}` } }
  }
}

/** Whoever set the task may say at once why not. Nothing is a yes; all else is a no, with or without words. */
function forbiddenBy(agent: Agent, call: ToolCall, tool: Tool): Denial | undefined {
  const wordless = `A call of '${call.name}' may not run here: what judges the calls of this task`
  try {
    const said: unknown = agent.forbids(call, tool)
    if (said === undefined) return undefined
    leaveAlone(said)
    const reason = isText(said) ? said : `${wordless} answered ${shown(said)} instead of why.`
    return { by: 'task', name: call.name, reason }
  } catch (error) {
    return { by: 'task', name: call.name, reason: `${wordless} failed: ${messageOf(error)}` }
  }
}

function parse(tool: Tool, input: Json): { readonly input: unknown } | { readonly problem: string } {
  try {
    return { input: tool.schema.parse(input) }
  } catch (error) {
    return { problem: messageOf(error) }
  }
}

/** Gates fail closed: only what is exactly an allow lets a call pass, or that nobody has anything to say. */
async function findObjection(agent: Agent, call: ToolCall, tool: Tool, input: unknown): Promise<Denial | undefined> {
  const gate = await askPlugins(() => agent.hooks.decide('PreToolUse', { call, tool }))
  if (gate?.verdict === 'deny') return denialOf(gate)
  const rule = await askTool(agent, call, tool, input)
  if (rule?.verdict === 'deny') return denialOf(rule)
  if (gate?.verdict === 'ask') return askPermission(agent, call, gate.reason)
  return rule?.verdict === 'ask' && gate?.verdict !== 'allow' ? askPermission(agent, call, rule.reason) : undefined
}

/** A gate's answer. As a denial it says who it was. */
interface Judgement extends Denial {
  readonly verdict: 'deny' | 'ask' | 'allow'
}

function denialOf({ verdict: _, ...denial }: Judgement): Denial {
  return denial
}

type Decided = (Verdict<Judgement['verdict']> & { readonly owner: string }) | undefined

/** The dispatcher gives what is a verdict and throws all else: a hook that throws, hangs or says what nobody knows is a no. */
async function askPlugins(decide: () => Promise<Decided>): Promise<Judgement | undefined> {
  try {
    const said = await decide()
    return said && { by: 'plugin', name: said.owner, verdict: said.verdict, reason: said.reason }
  } catch (error) {
    const name = isNacreError(error) ? error.details.plugin : undefined
    return { by: 'plugin', ...(name !== undefined && { name }), verdict: 'deny', reason: messageOf(error) }
  }
}

async function askTool(agent: Agent, call: ToolCall, tool: Tool, input: unknown): Promise<Judgement | undefined> {
  const { name } = tool
  try {
    const said: unknown = await watched(agent, tool, tool.check?.(input, agent.toolContext(call)))
    if (said === undefined) return undefined
    const { verdict, reason } = readVerdict(said, gateVerdicts.PreToolUse, `The tool '${name}'`)
    return { by: 'tool', name, verdict, reason }
  } catch (error) {
    return {
      by: 'tool',
      name,
      verdict: 'deny',
      reason: `The tool '${name}' could not judge the call: ${messageOf(error)}`,
    }
  }
}

async function askPermission(agent: Agent, call: ToolCall, reason: string): Promise<Denial | undefined> {
  const said = await askPlugins(() => agent.hooks.decide('PermissionRequest', { call, reason }))
  if (said) return said.verdict === 'allow' ? undefined : denialOf(said)
  return askPerson(agent, call, reason)
}

async function askPerson(agent: Agent, call: ToolCall, reason: string): Promise<Denial | undefined> {
  const no = (by: 'person' | 'nobody', why: string) => ({ by, reason: `Permission was not given: ${why}` })
  try {
    const said: unknown = await agent.askPerson(call, reason)
    if (said === 'allow') return undefined
    if (said === 'deny') return no('person', reason)
    const { deny, unanswered } = Object(said) as { readonly deny?: unknown; readonly unanswered?: unknown }
    if (isText(deny)) return { by: 'person', reason: `The person said no to this call: ${deny}` }
    if (isText(unanswered)) return no('nobody', unanswered)
    return no('nobody', `whoever was asked answered ${shown(said)}, which is no yes. ${reason}`)
  } catch (error) {
    return no('nobody', `nobody could be asked (${messageOf(error)}). ${reason}`)
  }
}

export function callsOf(content: readonly Block[]): ToolCall[] {
  return content
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({ id: block.id as string, name: block.name as string, input: block.input as Json }))
}
