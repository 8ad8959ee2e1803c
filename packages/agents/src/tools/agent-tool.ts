import type { Tool, View } from '@nacre/core'
import { z } from 'zod'
import type { AgentType } from '../definitions/agent-type.js'
import type { AgentsFlag } from '../settings/settings.js'
import { AGENT_TOOL, FORK_TAG } from '../team/child-options.js'
import { oneLine } from '../team/roster.js'
import type { Team } from '../team/team.js'
import { defineTool } from './define-tool.js'
import { cutResult } from './results.js'

const DESCRIPTION = `Starts an agent that does one task beside this conversation, with its own context, and gives its result.
- fresh (the default): it knows nothing of this conversation. Put all that it needs into the prompt: what to do, where to look, what to give back.
- fork: it knows all of this conversation, and shares its cache. Say only what to do. Good for several things that build on what was found here. A fork can not fork.
- run_in_background: the call returns at once; a notice comes when the agent ends. Ask for it with Agents. Do not start an agent again that was started already.
- isolation "worktree": it works in a git worktree of its own, so that agents can change the same files at the same time. What it changed is kept on a branch.
Several calls in one answer run side by side. Each agent has a deadline; one that fails or runs out of time ends with a result that says so.`

interface AgentToolContext {
  readonly types: ReadonlyMap<string, AgentType>
  flag(name: AgentsFlag): boolean
  /** The team of the session; `undefined` in a sub-agent. */
  team(): Team | undefined
}

/** Starts agents. Its bytes are the same in a fork: only what it does there is otherwise. */
export function agentTool({ types, flag, team }: AgentToolContext): Tool {
  const listed = [...types.values()].map((type) => `- ${type.name}: ${oneLine(type.description, 400)}`)
  return defineTool({
    name: AGENT_TOOL,
    description: `${DESCRIPTION}\n\nTypes for subagent_type:\n${listed.join('\n')}`,
    input: agentInput,
    async run(input, { signal, view }) {
      const open = team()
      if (!open || isFork(view)) throw new Error('A sub-agent can not start agents: do the task yourself.')
      const { run_in_background, mode = 'fresh', isolation, subagent_type = 'general' } = input
      const type = open.types.get(subagent_type)
      const isBackground = run_in_background ?? type?.isBackground ?? false
      const inWorktree = isolation === 'worktree' || (isolation === undefined && type?.worktree === true)
      mustBeOn(flag, mode, isBackground)
      if (mode === 'fork' && inWorktree) {
        throw new Error(
          'A fork works where this conversation does: its files are known by their places. Use fresh for a worktree.',
        )
      }
      const { ended, record } = await open.start({
        type: subagent_type,
        name: input.name,
        mode,
        isBackground,
        inWorktree,
        task: input.description,
        prompt: input.prompt,
        wishes: {
          model: input.model,
          deadline: input.deadline_seconds === undefined ? undefined : input.deadline_seconds * 1000,
          turns: input.max_turns,
        },
        signal,
      })
      if (isBackground) {
        return `Started ${record.name} in the background. A notice comes when it ends; wait for it with Agents {"action":"wait"}, write to it with SendMessage.`
      }
      const done = await ended
      signal.throwIfAborted()
      const { text } = await open.read(done.name)
      return cutResult(done.name, text, 0)
    },
    title: ({ description, name }) => `Agent ${name ? `${name}: ` : ''}${oneLine(description, 80)}`,
  }) as Tool
}

const agentInput = z.object({
  description: z.string().trim().min(1).max(200).describe('The task in three to five words.'),
  prompt: z.string().trim().min(1).describe('The task.'),
  subagent_type: z.string().optional().describe('One of the types; general unless told.'),
  name: z.string().optional().describe('A name to write to it by; one is made unless told.'),
  mode: z.enum(['fresh', 'fork']).optional(),
  run_in_background: z.boolean().optional(),
  isolation: z.enum(['none', 'worktree']).optional(),
  model: z.string().optional().describe('Another model than its type has, such as haiku.'),
  deadline_seconds: z.number().positive().optional().describe('When it is ended at the latest.'),
  max_turns: z.number().int().positive().optional(),
})

function mustBeOn(flag: AgentToolContext['flag'], mode: 'fresh' | 'fork', isBackground: boolean): void {
  if (mode === 'fork' && !flag('fork')) throw new Error('Forks are switched off (flag agents.fork): use fresh.')
  if (isBackground && !flag('background')) {
    throw new Error('Agents in the background are switched off (flag agents.background): run it in the foreground.')
  }
}

/** Whether the history says that this is a fork. */
function isFork(view: View | undefined): boolean {
  return (view?.rounds ?? []).some(({ entries }) =>
    entries.some(
      ({ kind, content }) =>
        kind === 'user' && content.some(({ text }) => typeof text === 'string' && text.startsWith(FORK_TAG)),
    ),
  )
}
