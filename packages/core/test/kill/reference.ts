import { type ModelTurn, type ReplyBlock, type SimulatedModel, startSimulator } from '@nacre/simulator'
import { anthropicModel } from '../../src/anthropic/index.js'
import { createSession } from '../../src/session/create-session.js'
import type { PlainMessage } from '../view/oracle.js'
import { messagesOf } from './read-back.js'
import { SYSTEM, workerTools } from './worker-tools.js'

export const TURNS = 16
const NAMES = ['look', 'search', 'fetch', 'write', 'look', 'fetch', 'search']

/** How many answers a conversation has behind it. The last one says so, also where those before it are folded. */
export function turnsIn(messages: readonly PlainMessage[]): number {
  const last = messages.findLast(({ role }) => role === 'assistant')?.content.map(({ text }) => String(text)) ?? []
  const number = /^Turn (\d+)\./.exec(last.find((text) => text.startsWith('Turn')) ?? '')?.[1]
  return number === undefined ? 0 : Number(number) + 1
}

/** What is answered follows from how far the conversation has come, names of calls included. */
export const workingModel: SimulatedModel = ({ messages }: ModelTurn) => {
  const turn = turnsIn(messages as readonly PlainMessage[])
  const thought: ReplyBlock = { type: 'thinking', thinking: `Turn ${turn}: ${'hm '.repeat(20)}` }
  if (turn === TURNS) return [thought, 'All is done.']
  const calls = Array.from({ length: 1 + (turn % 4) }, (_, index): ReplyBlock => {
    const id = `toolu_${turn}_${index}`
    return { type: 'tool_use', id, name: NAMES[(turn * 3 + index) % 7] ?? '', input: { what: id } }
  })
  return [thought, `Turn ${turn}. ${'I go on. '.repeat(10)}`, ...calls]
}

/** The requests of a session that nobody interrupts. */
export async function uninterrupted(): Promise<readonly (readonly PlainMessage[])[]> {
  const simulator = await startSimulator({ model: workingModel })
  const sent: (readonly PlainMessage[])[] = []
  simulator.observe(({ body }) => sent.push(messagesOf(body).messages))
  const session = await createSession({
    model: anthropicModel({
      model: 'claude-opus-5-5',
      apiKey: 'test',
      baseURL: simulator.url,
      thinking: { type: 'adaptive' },
    }),
    tools: workerTools(() => undefined, 0),
    system: SYSTEM,
  })
  for await (const event of session.query('Work.')) if (event.type === 'end' && event.error) throw event.error
  await session.close()
  await simulator.close()
  return sent
}

/** Messages without the results of some calls, and without signatures: those are bound to what was said before. */
export function except(messages: readonly PlainMessage[], lost: ReadonlySet<string>): unknown {
  return messages.map(({ role, content }) => ({
    role,
    content: content.map(({ signature: _, ...block }) => (lost.has(String(block.tool_use_id)) ? 'lost' : block)),
  }))
}
