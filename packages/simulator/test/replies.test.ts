import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type ModelTurn, offline, type RecordedMessage, recorded, type Scenario, scripted } from '../src/index.js'
import { callOf, clock, hello, textOf } from './support/conversation.js'
import { rejection, simulate } from './support/simulate.js'

type Messages = Anthropic.MessageParam[]

const user = (content: Anthropic.MessageParam['content']): Anthropic.MessageParam => ({ role: 'user', content })

/** A message as the next request carries it. */
const said = ({ role, content }: Anthropic.Message): Anthropic.MessageParam => ({ role, content })

/** Answers every call of a message with the same text. */
const resultsFor = (message: Anthropic.Message, content: string) =>
  user(
    message.content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content }] : [],
    ),
  )

const idsIn = (message: Anthropic.Message) =>
  message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))

function asking(client: Anthropic) {
  return (messages: Messages) => client.messages.create({ ...hello, tools: [clock], messages })
}

describe('a scripted model', () => {
  it('gives the items of a list one after the other, in every form', async () => {
    const { client } = await simulate({
      model: scripted([
        'text',
        ['several', { type: 'text', text: 'blocks' }],
        callOf('clock'),
        { content: ['refused'], stop: 'refusal', details: { type: 'refusal', category: 'cyber', explanation: null } },
        (turn) => `${turn.messages.length} messages`,
      ]),
    })
    const ask = asking(client)
    const replies: string[] = []
    for (const content of ['a', 'b', 'c', 'd', 'e']) {
      const message = await ask([user(content)])
      replies.push(`${textOf(message)}/${message.stop_reason}`)
      if (message.stop_reason === 'refusal') expect(message.stop_details).toMatchObject({ category: 'cyber' })
    }
    expect(replies).toEqual([
      'text/end_turn',
      'severalblocks/end_turn',
      '/tool_use',
      'refused/refusal',
      '1 messages/end_turn',
    ])
  })

  it('gives the same item to a request that is sent again', async () => {
    const { client } = await simulate({ model: scripted(['one', 'two']) })
    const ask = asking(client)
    expect(textOf(await ask([user('first')]))).toBe('one')
    expect(textOf(await ask([user('first')]))).toBe('one')
    expect(textOf(await ask([user('second')]))).toBe('two')
  })

  it('says clearly that the list was too short, to the client and to the one who runs it', async () => {
    const reports: string[] = []
    const { client, simulator } = await simulate({
      model: scripted(['one']),
      details: { report: (error) => reports.push(error.message) },
    })
    await asking(client)([user('first')])
    const error = await rejection(asking(client)([user('second')]))
    expect([error.status, error.type]).toEqual([500, 'api_error'])
    expect(error.apiMessage).toBe('The simulated model failed: The script has 1 replies; request 2 found none.')
    expect(reports).toEqual(['The script has 1 replies; request 2 found none.'])
    expect(simulator.ledger.totals().failed).toBe(1)
  })

  it('passes on what a function throws', async () => {
    const { client } = await simulate({
      model: scripted(() => {
        throw new Error('out of order')
      }),
    })
    expect((await rejection(client.messages.create(hello))).apiMessage).toContain('out of order')
  })

  it('shows a function what the model would see', async () => {
    const { client } = await simulate({
      model: scripted(({ model, system, tools, source, purpose }) =>
        JSON.stringify([model, system[0]?.text, tools.map(({ name }) => name), source, purpose]),
      ),
    })
    const request = { ...hello, system: 'Be kind.', tools: [clock] }
    const message = await client.messages.create(request, { headers: { 'x-nacre-source': 'tests' } })
    expect(JSON.parse(textOf(message))).toEqual(['claude-opus-5-5', 'Be kind.', ['clock'], 'tests', 'message'])
  })

  it('leaves the list alone for a summary', async () => {
    const { client } = await simulate({ model: scripted(['one', 'two']) })
    const betas = ['compact-2026-09-04']
    await client.beta.messages.create({ ...hello, betas })
    const summary = await client.beta.messages.create({ ...hello, betas, compaction: { type: 'summarize' } })
    expect(JSON.stringify(summary.content)).toContain('6. All user messages')
    expect(textOf(await asking(client)([user('next')]))).toBe('two')
  })
})

const session: readonly RecordedMessage[] = [
  { role: 'user', content: 'What time is it?' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'I look.', signature: 'of another server' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'toolu_recorded', name: 'clock', input: {} },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_recorded', content: '12:00' }] },
  { role: 'assistant', content: 'Noon.' },
  { role: 'user', content: 'Thanks.' },
  { role: 'assistant', content: [{ type: 'text', text: 'Any time.', cache_control: { type: 'ephemeral' } }] },
]

/** Asks the questions of the session, and returns the texts of the answers. */
async function replay(client: Anthropic): Promise<string[]> {
  const ask = asking(client)
  const messages: Messages = [user('What time is it?')]
  const first = await ask(messages)
  messages.push(said(first), resultsFor(first, 'it does not matter what'))
  const second = await ask(messages)
  messages.push(said(second), user('Thanks.'))
  const third = await ask(messages)
  return [first, second, third].map(textOf)
}

async function transcript(records: readonly unknown[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'simulator-session-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'session.jsonl')
  await writeFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  return path
}

describe('a recorded model', () => {
  const answers = ['Let me look.', 'Noon.', 'Any time.']

  it('answers as in the messages it was given', async () => {
    const { client, simulator } = await simulate({ model: recorded(session) })
    expect(await replay(client)).toEqual(answers)
    expect(simulator.ledger.totals().failed).toBe(0)
  })

  it('answers as in a file with a message on each line', async () => {
    const { client } = await simulate({ model: recorded(await transcript(session)) })
    expect(await replay(client)).toEqual(answers)
  })

  it('puts a turn that was split over several records together again', async () => {
    const split = session.flatMap(({ role, content }): unknown[] =>
      typeof content === 'string'
        ? [{ type: role, message: { role, content } }]
        : content.map((block) => ({ type: role, uuid: 'x', message: { role, content: [block] } })),
    )
    const aside = { type: 'user', isSidechain: true, message: { role: 'user', content: 'not part of it' } }
    const path = await transcript([{ type: 'summary', summary: 'A session' }, aside, ...split])
    const { client } = await simulate({ model: recorded(path) })
    expect(await replay(client)).toEqual(answers)
  })

  it('answers the same question with the next of its answers, and a request sent again as before', async () => {
    const again: readonly RecordedMessage[] = [
      { role: 'user', content: 'Go on' },
      { role: 'assistant', content: 'first' },
      { role: 'user', content: 'Go on' },
      { role: 'assistant', content: 'second' },
    ]
    const { client } = await simulate({ model: recorded(again) })
    const ask = asking(client)
    const first = await ask([user('Go on')])
    const repeated = await ask([user('Go on')])
    const second = await ask([user('Go on'), said(first), user('Go on')])
    expect([first, repeated, second].map(textOf)).toEqual(['first', 'first', 'second'])
  })

  it('says so when it has no answer', async () => {
    const { client } = await simulate({ model: recorded(session) })
    expect(textOf(await asking(client)([user('Something else')]))).toContain('The recording has no answer')
  })

  it('names the line that is not JSON', async () => {
    const path = await transcript([{ role: 'user', content: 'x' }])
    await writeFile(path, '{"role":"user","content":"x"}\n{broken\n')
    expect(() => recorded(path)).toThrow(/session\.jsonl, line 2: not valid JSON/)
  })
})

const scenario: Scenario = {
  name: 'time of day',
  prompt: /what time/i,
  steps: [
    callOf('clock', { zone: 'UTC' }),
    ({ results }) => [callOf('clock', { zone: results[0] ?? '' }), callOf('clock', { zone: 'Rome' })],
    ({ results }) => `It is ${results.join(' and ')}.`,
  ],
}

describe('the offline model', () => {
  it('says what it is and what it was asked', async () => {
    const { client } = await simulate({ model: offline() })
    const text = textOf(await asking(client)([user('Write a poem')]))
    expect(text).toContain('I am the offline model')
    expect(text).toContain('"Write a poem"')
  })

  it('does the first job that knows a turn', async () => {
    const job = (name: string, word: string) => ({
      name,
      recognises: (turn: ModelTurn) => String(turn.messages.at(-1)?.content[0]?.text).includes(word),
      answer: () => name,
    })
    const { client } = await simulate({ model: offline({ jobs: [job('adds', 'plus'), job('divides', 'by')] }) })
    expect(textOf(await asking(client)([user('8 by 2')]))).toBe('divides')
    expect(textOf(await asking(client)([user('2 plus 2 by 2')]))).toBe('adds')
  })

  it('plays a scenario step by step, with the results of the step before', async () => {
    const { client } = await simulate({ model: offline({ scenarios: [scenario] }) })
    const ask = asking(client)
    const messages: Messages = [user('What time is it?')]
    const first = await ask(messages)
    messages.push(said(first), resultsFor(first, 'Bern'))
    const second = await ask(messages)
    expect(second.content).toMatchObject([{ input: { zone: 'Bern' } }, { input: { zone: 'Rome' } }])
    messages.push(said(second), resultsFor(second, 'noon'))
    expect(textOf(await ask(messages))).toBe('It is noon and noon.')
  })

  it('goes on in another simulator with the same conversation', async () => {
    const first = await simulate({ model: offline({ scenarios: [scenario] }) })
    const messages: Messages = [user('What time is it?')]
    const called = await asking(first.client)(messages)
    messages.push(said(called), resultsFor(called, 'Bern'))
    const second = await simulate({ model: offline({ scenarios: [scenario] }) })
    const there = await asking(second.client)(messages)
    expect(there.content).toMatchObject([{ input: { zone: 'Bern' } }, { input: { zone: 'Rome' } }])
    expect(idsIn(there)).toEqual(idsIn(await asking(first.client)(messages)))
  })

  it('repeats a step for a request that is sent again', async () => {
    const { client } = await simulate({ model: offline({ scenarios: [scenario] }) })
    const ask = () => asking(client)([user('What time is it?')])
    expect((await ask()).content).toEqual((await ask()).content)
  })

  it('gives calls of the same prompt in one conversation ids of their own', async () => {
    const { client, simulator } = await simulate({ model: offline({ scenarios: [scenario] }) })
    const ask = asking(client)
    const messages: Messages = []
    const ids: string[] = []
    for (let time = 0; time < 2; time++) {
      messages.push(user('What time is it?'))
      for (let step = 0; step < 3; step++) {
        const message = await ask(messages)
        ids.push(...idsIn(message))
        messages.push(said(message))
        if (message.stop_reason === 'tool_use') messages.push(resultsFor(message, 'Bern'))
      }
    }
    expect(ids).toHaveLength(6)
    expect(new Set(ids).size).toBe(6)
    expect(simulator.ledger.totals().failed).toBe(0)
  })

  it('summarises what was said, called and answered', async () => {
    const { client } = await simulate({ model: offline() })
    const called = { type: 'tool_use' as const, id: 'toolu_1', name: 'clock', input: { zone: 'UTC' } }
    const summary = await client.beta.messages.create({
      ...hello,
      betas: ['compact-2026-09-04'],
      compaction: { type: 'summarize' },
      tools: [clock],
      messages: [
        { role: 'user', content: 'What time is it?' },
        { role: 'assistant', content: [called] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '12:00' }] },
        { role: 'assistant', content: 'Noon.' },
        { role: 'user', content: 'Thanks.' },
      ],
    })
    const text = String(summary.content[0]?.type === 'compaction' && summary.content[0].content)
    for (const part of ['What time is it?', 'clock {"zone":"UTC"}', 'Noon.', 'Thanks.']) expect(text).toContain(part)
  })
})
