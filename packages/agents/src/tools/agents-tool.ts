import type { Tool } from '@nacre/core'
import { z } from 'zod'
import { AGENTS_TOOL } from '../team/child-options.js'
import { describeRecord, oneLine } from '../team/roster.js'
import type { AgentStatus, Team } from '../team/team.js'
import { defineTool } from './define-tool.js'
import { cutResult } from './results.js'

const DESCRIPTION = `Looks after the agents of this session.
- list: who there is, how each stands, whose result is not read yet.
- wait: until those named (all that run unless named) have ended, for wait_seconds at most (60 unless told). Says how they stand then.
- read: the result of one that has ended. Results are kept; a long one is read in parts by offset.
- stop: ends one that runs. It can be set to work again by a message.
Commands in the background are asked for with BashOutput and ended with KillBash.`

const MOST_SECONDS = 600
const SECONDS = 60

interface AgentsToolContext {
  now(): number
  team(): Team | undefined
}

/** Lists, waits for, reads and stops agents. */
export function agentsTool({ now, team }: AgentsToolContext): Tool {
  return defineTool({
    name: AGENTS_TOOL,
    description: DESCRIPTION,
    input: agentsInput,
    isReadOnly: ({ action }) => action !== 'stop',
    async run(input, { signal }) {
      const open = team()
      if (!open) throw new Error('A sub-agent has no agents to look after. Write to the others with SendMessage.')
      const { action, name, names, wait_seconds = SECONDS, offset = 0 } = input
      const listed = (agents: readonly AgentStatus[]) =>
        agents.length === 0
          ? 'There are no agents.'
          : agents.map((each) => describeRecord(each, now(), each.doing)).join('\n')
      if (action === 'list') return listed(open.agents())
      if (action === 'wait') {
        const wanted = names ?? (name === undefined ? undefined : [name])
        const agents = await open.wait(wanted, wait_seconds * 1000, signal)
        const left = agents.filter(({ state }) => state === 'running').length
        if (agents.length === 0) return 'No agent is running.'
        const head = left === 0 ? 'All have ended.' : `${left} still running after ${wait_seconds} s.`
        return `${head}\n${listed(agents)}`
      }
      if (name === undefined) throw new Error(`${action} needs the name of an agent.`)
      if (action === 'read') return cutResult(name, (await open.read(name)).text, offset)
      const before = open.agents().find((each) => each.name === name)
      if (before && before.state !== 'running') return `There is nothing to stop.\n${describeRecord(before, now())}`
      return describeRecord(await open.stop(name, 'it was stopped by the main agent'), now())
    },
    title: ({ action, name, names }) => oneLine(`Agents: ${action} ${name ?? names?.join(', ') ?? ''}`),
  }) as Tool
}

const agentsInput = z.object({
  action: z.enum(['list', 'wait', 'read', 'stop']),
  name: z.string().optional().describe('For read and stop; for wait where it is one.'),
  names: z.array(z.string()).optional().describe('For wait.'),
  wait_seconds: z.number().positive().max(MOST_SECONDS).optional(),
  offset: z.number().int().min(0).optional().describe('For read: the first character.'),
})
