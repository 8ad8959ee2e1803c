import { type Entry, isNacreError } from '@nacre/core'
import type { LifeContext } from './agent-life.js'
import { FORK_TAG } from './child-options.js'
import type { AgentRecord } from './roster.js'
import { messageOf, textOf } from './run-agent.js'

const LOST = 'the program ended while it worked; a message to it sets it to work again'
const NOT_BEGUN = 'the program ended before it had begun; start another one'

/** What an agent's own log says about one that ran when the process died. It is not set to work again by itself. */
export async function recovered(context: LifeContext, record: AgentRecord): Promise<AgentRecord> {
  const end = async (state: 'done' | 'stopped', reason: string | undefined, text: string): Promise<AgentRecord> => {
    const { blob } = await context.store.put(`agent-${record.name}.md`, text)
    const result = { blob, chars: text.length, isRead: false }
    return { ...record, state, ...(reason !== undefined && { reason }), ended: context.now(), result }
  }
  try {
    const child = await context.session.child({ source: `agent:${record.name}`, id: record.log, from: 'kept' })
    const entries: Entry[] = []
    for await (const entry of child.entries()) entries.push(entry)
    await child.close('looked at')
    const begun = entries.findLastIndex((entry) => entry.kind === 'user' && isTask(record, entry))
    if (begun < 0) return end('stopped', NOT_BEGUN, `The agent ${record.name} did not begin: ${NOT_BEGUN}.`)
    const answers = entries.slice(begun).flatMap((entry) => (entry.kind === 'assistant' ? [entry] : []))
    const last = answers.at(-1)
    const isLast = last !== undefined && !entries.slice(entries.indexOf(last) + 1).some(({ kind }) => kind === 'user')
    if (isLast && last.stop === 'end_turn') return end('done', undefined, textOf(last))
    const said = answers.map(textOf).findLast((text) => text !== '')
    return end(
      'stopped',
      LOST,
      `The agent ${record.name} did not finish: ${LOST}.${said ? ` What it had said last:\n\n${said}` : ''}`,
    )
  } catch (error) {
    if (isNacreError(error, 'SESSION_NOT_FOUND')) {
      return end('stopped', NOT_BEGUN, `The agent ${record.name} did not begin: ${NOT_BEGUN}.`)
    }
    return end('stopped', messageOf(error), `The agent ${record.name} can not be found again: ${messageOf(error)}`)
  }
}

function isTask({ mode }: AgentRecord, entry: Extract<Entry, { readonly kind: 'user' }>): boolean {
  return mode === 'fresh' || entry.content.some(({ text }) => typeof text === 'string' && text.startsWith(FORK_TAG))
}

/** The ends that the main agent was told of, as name and run. */
export async function toldIn(entries: AsyncIterable<Entry>): Promise<ReadonlySet<string>> {
  const told = new Set<string>()
  for await (const entry of entries) {
    if (entry.kind !== 'state' || !entry.key.startsWith('steer/') || entry.value === null) continue
    const { mark } = entry.value as { readonly mark?: { readonly agent?: string; readonly runs?: number } }
    if (mark?.agent !== undefined) told.add(`${mark.agent} ${mark.runs}`)
  }
  return told
}
