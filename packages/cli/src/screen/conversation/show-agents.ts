import type { AgentStatus } from '@nacre/agents'
import type { OpenedSession } from '../../session/opened-session.js'
import { cleanText } from '../../terminal/clean-text.js'
import { sizeOf } from '../../terminal/terminal.js'
import type { Suggestions } from '../state/screen-state.js'
import { type Line, plainLines } from '../text/lines.js'
import type { Person } from './ask-person.js'

/** Where agents are shown, and who is woken by what they leave. */
interface AgentScreen extends Pick<Person, 'store' | 'terminal'> {
  woken?(): void
}

/** Shows who is at work, says when one has ended, and wakes the conversation. Gives the way to stop. */
export function showAgents({ store, terminal, woken }: AgentScreen, { team, session }: OpenedSession): () => void {
  const agents = team()
  if (!agents) return () => undefined
  const known = new Map(agents.agents().map(({ name, state, runs }) => [name, `${state} ${runs}`]))
  const look = () => {
    const all = agents.agents()
    for (const agent of all) {
      const now = `${agent.state} ${agent.runs}`
      const isOver = agent.state !== 'running' && known.get(agent.name) !== now && agent.isBackground
      known.set(agent.name, now)
      if (isOver) store.print(plainLines(endOf(agent), sizeOf(terminal.stdout).columns - 1, 'dim'))
    }
    const running = all.filter(({ state }) => state === 'running')
    store.live({
      agents: running.map(({ name, doing, asks, task }) => ({ name, doing: asks ? `asks: ${asks}` : (doing ?? task) })),
    })
    if (session.isSteered()) woken?.()
  }
  const stop = agents.onChange(look)
  look()
  return () => {
    stop()
    store.live({ agents: [] })
  }
}

function endOf({ name, state, reason, result }: AgentStatus): string {
  const how = state === 'done' ? 'has finished' : `has ended: ${reason ?? state}`
  return cleanText(
    `◇ Agent ${name} ${how}${result ? `, ${result.chars} characters` : ''}. /agents read ${name} shows it.`,
  )
}

/** What a session that goes on has of agents: results that nobody has read, and those that were cut off. */
export function unreadLines({ team }: OpenedSession, width: number): Line[] {
  const unread = (team()?.agents() ?? []).filter(({ result }) => result?.isRead === false)
  return unread.flatMap((agent) => plainLines(endOf(agent), width - 1, 'yellow'))
}

/** `@name text`: what is meant for an agent. People mention files by `@` too: only a name that is one counts. */
const TO_AGENT = /^@([A-Za-z0-9][\w.-]*)\s+(\S[\s\S]*)$/

export function isToAgent({ team }: OpenedSession, text: string): boolean {
  const name = TO_AGENT.exec(text)?.[1]
  return (team()?.agents() ?? []).some((agent) => agent.name === name)
}

/** Sends a line of the person to the agent that it names; says what became of it. */
export async function sendToAgent({ team }: OpenedSession, line: string): Promise<string | undefined> {
  const [, name = '', message = ''] = TO_AGENT.exec(line) ?? []
  return team()?.send({ from: 'the person', to: name, message })
}

/** The agents that a line may be for. */
export function suggestAgents(line: string, { team }: OpenedSession): Suggestions | undefined {
  const typed = /^@([\w.-]*)$/.exec(line)?.[1]
  if (typed === undefined) return undefined
  const items = (team()?.agents() ?? [])
    .filter(({ name }) => name.startsWith(typed) && name !== typed)
    .map(({ name, state, task }) => ({ line: `@${name}`, help: cleanText(`${state}: ${task}`) }))
  return items.length > 0 ? { items, at: 0 } : undefined
}
