import { describe, expect, it } from 'vitest'
import { createConversation } from '../../src/conversation/conversation.js'
import { NacreError } from '../../src/errors.js'
import type { Agent } from '../../src/loop/agent.js'
import { query } from '../../src/loop/query.js'
import { memoryStore } from '../../src/stores/memory-store.js'
import type { SessionEvent } from '../../src/types/events.js'
import type { Dispatcher } from '../../src/types/hooks.js'
import type { Block, Json } from '../../src/types/log.js'
import type { Model, ModelEvent } from '../../src/types/model.js'
import type { Tool } from '../../src/types/tool.js'
import { illegalities } from '../view/oracle.js'

const USAGE = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, dollars: 1 }
type Turn = readonly Block[] | { readonly content: readonly Block[]; readonly stop: string } | Error | 'cut'

const text = (words: string): Block => ({ type: 'text', text: words })
const call = (id: string, name = 'look'): Block => ({ type: 'tool_use', id, name, input: {} })

/** A model that answers from a list: an error is thrown, 'cut' breaks off after the first block. */
function scriptedModel(turns: readonly Turn[]): Model & { asked: number } {
  const model = {
    asked: 0,
    info: {
      id: 'm',
      window: 1000,
      maxOutput: 50,
      cacheMinimum: 0,
      thinking: 'none' as const,
      can: new Set<never>(),
      price: () => ({ input: 0, output: 0, read: 0, write5m: 0, write1h: 0 }),
    },
    async *stream(): AsyncGenerator<ModelEvent> {
      const turn = turns[model.asked++] ?? [text('done')]
      if (turn instanceof Error) throw turn
      yield { type: 'start', messageId: `msg${model.asked}` }
      if (turn === 'cut') {
        yield { type: 'block', index: 0, block: call('half') }
        return
      }
      const content = Array.isArray(turn) ? (turn as readonly Block[]) : (turn as { content: readonly Block[] }).content
      for (const [index, block] of content.entries()) yield { type: 'block', index, block }
      const calls = content.some((block) => block.type === 'tool_use')
      const stop = Array.isArray(turn) ? (calls ? 'tool_use' : 'end_turn') : (turn as { stop: string }).stop
      yield { type: 'end', stop, usage: USAGE, thinkingDropped: [] }
    },
  }
  return model
}

const silent: Dispatcher = {
  collect: async () => [],
  transform: async (_name, event) => ({ value: event.value, changes: [] }) as never,
  decide: async () => undefined,
}

async function start(turns: readonly Turn[], changes: Partial<Agent> = {}) {
  const store = await memoryStore().open('test', new AbortController().signal)
  let number = 0
  const conversation = createConversation({
    store,
    rules: { isBound: true, hasSystemRole: true, reads: () => true, estimate: () => 1 },
    epoch: { system: [], tools: [] },
    writePrice: () => 1,
    now: () => 0,
    newId: () => `e${++number}`,
  })
  const events: SessionEvent[] = []
  const waits: number[] = []
  const ran: string[] = []
  const model = scriptedModel(turns)
  const look: Tool = {
    name: 'look',
    description: '',
    schema: { json: {}, parse: (input) => input },
    isReadOnly: () => false,
    isConcurrencySafe: () => true,
    run: (_input, { callId }) => {
      ran.push(callId)
      return { content: [text(`seen by ${callId}`)] }
    },
  }
  const agent: Agent = {
    conversation,
    hasCall: (id) => conversation.projection.timeline.hasCall(id),
    steering: { waiting: () => [], settle: async () => undefined },
    hooks: silent,
    signal: new AbortController().signal,
    limits: { maxTurns: 20, maxBudgetUsd: 100 },
    model: () => model,
    fallBack: () => undefined,
    view: () => ({ tokens: { total: 0, threshold: 1, estimated: 0, window: 1 } }) as never,
    request: async (_model, fields) => {
      const { messages, prefix } = conversation.rendering()
      const plain = messages.map(({ role, blocks }) => ({ role, content: blocks.map(({ block }) => block) }))
      expect(illegalities(plain)).toEqual([])
      return { model: 'm', epoch: conversation.epoch(), messages: plain as unknown as Json[], fields, prefix }
    },
    answered: () => undefined,
    brokenOff: () => undefined,
    turnBoundary: async () => undefined,
    forbids: () => undefined,
    tool: (name) => (name === 'look' ? look : undefined),
    toolContext: ({ id }) => ({ callId: id, cwd: '/', signal: agent.signal, progress: () => undefined }),
    askPerson: async () => 'deny',
    noRoomFor: () => undefined,
    watchSize: async () => undefined,
    relieve: async () => false,
    spent: () => 0,
    emit: (event) => events.push(event),
    wait: async (milliseconds) => void waits.push(milliseconds),
    random: () => 0,
    ...changes,
  }
  const end = await query(agent, { content: [text('hi')] })
  const kinds = events.flatMap((event) => (event.type === 'recovery' ? [event.kind] : []))
  return { end, events, waits, ran, model, kinds, conversation }
}

const busy = (retryAfter?: number) =>
  new NacreError('OVERLOADED', 'busy', retryAfter === undefined ? {} : { retryAfter })

describe('query', () => {
  it('runs the calls of an answer and ends when there are none', async () => {
    const { end, ran, events } = await start([[call('a'), call('b')], [text('done')]])
    expect(end.reason).toBe('done')
    expect(ran).toEqual(['a', 'b'])
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'done' })
  })

  it('tells the model of a tool that is not there', async () => {
    const { end, conversation } = await start([[call('a', 'leap')]])
    expect(end.reason).toBe('done')
    expect(JSON.stringify(conversation.rendering().messages)).toContain("There is no tool 'leap'")
  })

  it('tries again after what passes by itself, waiting as long as the server asks', async () => {
    const { end, waits, kinds } = await start([busy(7), busy(), [text('done')]])
    expect(end.reason).toBe('done')
    expect(waits).toEqual([7000, 1000])
    expect(kinds).toEqual(['retry', 'retry'])
  })

  it('keeps nothing of an answer that broke off, and runs none of its calls', async () => {
    const { end, ran, conversation } = await start(['cut', [text('whole')]])
    expect(end.reason).toBe('done')
    expect(ran).toEqual([])
    expect(conversation.rendering().messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
  })

  it('ends with the error that can not be helped', async () => {
    const { end, model } = await start([new NacreError('SPEND_CAP', 'no more money')])
    expect([end.reason, end.error?.code, model.asked]).toEqual(['error', 'SPEND_CAP', 1])
  })

  it('falls back to another model after three overloads', async () => {
    const other = scriptedModel([[text('from the other')]])
    const { end, kinds } = await start([busy(), busy(), busy()], { fallBack: () => other })
    expect([end.reason, other.asked, kinds.at(-1)]).toEqual(['done', 1, 'fallback'])
  })

  it('frees context and asks again when the prompt is too long, and gives up when nothing helps', async () => {
    const long = new NacreError('PROMPT_TOO_LONG', 'too long')
    let freed = 0
    const relieve: Agent['relieve'] = async (pressure) => pressure === 'overflow' && freed++ === 0
    const helped = await start([long, [text('done')]], { relieve })
    expect([helped.end.reason, freed]).toEqual(['done', 1])
    expect((await start([long])).end.error?.code).toBe('PROMPT_TOO_LONG')
  })

  it('raises the output limit once, then asks to go on, and never runs a call that was cut', async () => {
    const cut = { content: [text('part'), call('cut')], stop: 'max_tokens' }
    const { end, kinds, ran } = await start([cut, cut, [text('rest')]])
    expect([end.reason, ran]).toEqual(['done', []])
    expect(kinds).toEqual(['raise-output', 'continue-output'])
  })

  it('leaves a refused turn out of the view', async () => {
    const { end, conversation } = await start([{ content: [text('no')], stop: 'refusal' }])
    expect(end.reason).toBe('refused')
    expect(conversation.rendering().messages).toEqual([])
  })

  it('sends nudges after an empty answer once', async () => {
    const { end, kinds, model } = await start([[], [text('done')]])
    expect([end.reason, kinds, model.asked]).toEqual(['done', ['empty-answer'], 2])
  })

  it('stops at its limits', async () => {
    const forever = Array.from({ length: 9 }, (_, index) => [call(`c${index}`)])
    expect((await start(forever, { limits: { maxTurns: 3, maxBudgetUsd: 100 } })).end.reason).toBe('max-turns')
    expect((await start(forever, { limits: { maxTurns: 9, maxBudgetUsd: 1 }, spent: () => 1 })).end.reason).toBe(
      'budget',
    )
  })

  it('ends as aborted when the signal fires, with the log still legal', async () => {
    const controller = new AbortController()
    const { end, conversation } = await start([[call('a')], [text('never')]], {
      signal: controller.signal,
      emit: (event) => event.type === 'tool-end' && controller.abort(),
    })
    expect(end.reason).toBe('aborted')
    const plain = conversation
      .rendering()
      .messages.map(({ role, blocks }) => ({ role, content: blocks.map(({ block }) => block) }))
    expect(illegalities(plain)).toEqual([])
  })
})
