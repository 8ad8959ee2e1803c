import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { fileStore } from '../../src/node/index.js'
import type { SessionEvent } from '../../src/types/events.js'
import type { HookContext } from '../../src/types/hooks.js'
import { definePlugin } from '../../src/types/plugin.js'
import { temporaryHome } from '../node/temporary-home.js'
import { readFile } from '../session/setup.js'
import { answerOf, call, type Odd, oddFirst } from './odd-first.js'

const done = scripted(() => 'Done.')
const HALF = '\ud83d'

const results = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []))

const words = (events: readonly SessionEvent[]) => JSON.stringify(results(events))

describe('a call whose input can not be read', () => {
  const inputs: [what: string, json: string, told: RegExp][] = [
    ['broken JSON', '{"path": "a.ts', /not valid JSON.*\{\\"path/],
    ['no JSON at all', 'path=a.ts', /not valid JSON/],
    ['a string', '"a.ts"', /no object/],
    ['an array', '["a.ts"]', /no object/],
    ['null', 'null', /no object/],
    ['a number', '7', /no object/],
  ]
  it.each(inputs)('is answered as a failed call: %s', async (_, json, told) => {
    const odds = await oddFirst([answerOf('tool_use', call('toolu_1', 'read_file', json))], done)
    const events = await odds.ask(await odds.start(), 'Read it.')
    expect(events.at(-1)).toEqual({ type: 'end', reason: 'done' })
    expect(odds.statuses).toEqual([200])
    const { messages } = JSON.parse(odds.bodies[1] as string)
    expect(messages[1].content[0]).toMatchObject({ type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} })
    expect(messages[2].content[0]).toMatchObject({ type: 'tool_result', tool_use_id: 'toolu_1', is_error: true })
    expect(JSON.stringify(messages[2])).toMatch(told)
  })

  it('does not run, and the call beside it does', async () => {
    const odd = answerOf(
      'tool_use',
      call('toolu_1', 'read_file', '{"path'),
      call('toolu_2', 'read_file', '{"path":"b"}'),
    )
    const odds = await oddFirst([odd], done)
    const ran: string[] = []
    const tool = {
      ...readFile,
      run: async (...[input, context]: Parameters<typeof readFile.run>) => {
        ran.push(context.callId)
        return readFile.run(input, context)
      },
    }
    await odds.ask(await odds.start({ tools: [tool] }), 'Read them.')
    expect([ran, odds.statuses]).toEqual([['toolu_2'], [200]])
  })

  it('is no stand-in for the same call in a later answer', async () => {
    const cut = (response: Parameters<Extract<Odd, (...all: never[]) => void>>[0]) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const events = answerOf('tool_use', call('toolu_1', 'read_file', '{"path')).slice(0, -2)
      for (const event of events)
        response.write(`event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
      response.end()
    }
    const odds = await oddFirst([cut, answerOf('tool_use', call('toolu_2', 'list', '{}'))], done)
    const list = { ...readFile, name: 'list', run: () => ({ content: [{ type: 'text', text: 'a.ts' }] }) }
    const events = await odds.ask(await odds.start({ tools: [list] }), 'List.')
    expect(words(events)).toContain('a.ts')
  })

  it('can be resumed from its log', async () => {
    const home = await temporaryHome()
    const store = fileStore({ home, project: 'p' })
    const odds = await oddFirst([answerOf('tool_use', call('toolu_1', 'read_file', '{"pa'))], done)
    const first = await odds.start({ store, open: { id: 'one' } })
    await odds.ask(first, 'Read it.')
    await first.close()
    const again = await odds.start({ store, open: { resume: 'one' } })
    expect((await odds.ask(again, 'And now?')).at(-1)).toMatchObject({ reason: 'done' })
    expect(odds.statuses).toEqual([200, 200])
  })
})

describe('ids and names as no server should give them', () => {
  const odd: [what: string, first: Odd, second?: Odd][] = [
    ['an empty id', answerOf('tool_use', call('', 'read_file', '{"path":"a"}'))],
    ['no id', answerOf('tool_use', call(undefined, 'read_file', '{"path":"a"}'))],
    ['an id that is null', answerOf('tool_use', call(null, 'read_file', '{"path":"a"}'))],
    ['an id that the API refuses', answerOf('tool_use', call('call:1/ä', 'read_file', '{"path":"a"}'))],
    [
      'one id twice in an answer',
      answerOf('tool_use', call('t', 'read_file', '{"path":"a"}'), call('t', 'read_file', '{"path":"b"}')),
    ],
    [
      'one id in two answers',
      answerOf('tool_use', call('t', 'read_file', '{"path":"a"}')),
      answerOf('tool_use', call('t', 'read_file', '{"path":"b"}')),
    ],
    [
      'ids that become one',
      answerOf(
        'tool_use',
        call('t:1', 'read_file', '{"path":"a"}'),
        call('t/1', 'read_file', '{"path":"b"}'),
        call('t_1', 'read_file', '{"path":"c"}'),
      ),
    ],
    ['an empty name', answerOf('tool_use', call('t', '', '{}'))],
    ['no name', answerOf('tool_use', call('t', undefined, '{}'))],
    ['a name that is a number', answerOf('tool_use', call('t', 7, '{}'))],
    ['a name that the API refuses', answerOf('tool_use', call('t', 'read file\u202e', '{}'))],
    ['a name that is too long', answerOf('tool_use', call('t', 'x'.repeat(300), '{}'))],
    ['half a pair in a name', answerOf('tool_use', call('t', `read${HALF}`, '{}'))],
  ]
  it.each(odd)('leave the session usable: %s', async (_, first, second) => {
    const odds = await oddFirst([first, ...(second ? [second] : [])], done)
    const session = await odds.start()
    expect((await odds.ask(session, 'Read.')).at(-1)).toEqual({ type: 'end', reason: 'done' })
    expect((await odds.ask(session, 'And?')).at(-1)).toEqual({ type: 'end', reason: 'done' })
    expect(odds.statuses).toEqual([200, 200])
  })

  it('leaves forks usable that use an id of the conversation again', async () => {
    const read = answerOf('tool_use', call('t', 'read_file', '{"path":"a"}'))
    const odds = await oddFirst([read, answerOf('end_turn', { type: 'text', text: 'Read.' }), read], done)
    let context: HookContext | undefined
    const keep = (_event: unknown, own: HookContext) => {
      context = own
    }
    const listens = definePlugin({
      name: 'listens',
      setup: () => ({ hooks: { PostModelCall: keep } }),
    })
    await odds.ask(await odds.start({ plugins: [listens] }), 'Read.')
    const prompt = [{ type: 'text', text: 'Read once more.' }]
    const forked = await (context as HookContext).fork({ source: 'look', prompt, maxTurns: 3, allow: () => true })
    expect([forked.text, odds.statuses]).toEqual(['Done.', [200]])
  })

  it('run each call once, with the id that its result has', async () => {
    const odds = await oddFirst(
      [answerOf('tool_use', call('t', 'read_file', '{"path":"a"}'), call('t', 'read_file', '{"path":"b"}'))],
      done,
    )
    const events = await odds.ask(await odds.start(), 'Read both.')
    const shown = results(events).map(({ content }) => String(content[0]?.text).slice(0, 1))
    expect(shown).toEqual(['a', 'b'])
    const { messages } = JSON.parse(odds.bodies[1] as string)
    const [one, two] = messages[1].content
    expect(messages[2].content.map((block: { tool_use_id: string }) => block.tool_use_id)).toEqual([one.id, two.id])
  })

  it('does not run a tool whose name a mended one happens to be', async () => {
    const odds = await oddFirst([answerOf('tool_use', call('t', 'read file', '{"path":"a"}'))], done)
    const events = await odds.ask(await odds.start(), 'Read.')
    expect(words(events) + odds.bodies[1]).toContain('There is no tool')
    expect(events.filter(({ type }) => type === 'tool-start')).toEqual([])
  })
})

describe('half a surrogate pair', () => {
  it('may stand in a prompt, an answer, an input, a result and the system prompt', async () => {
    const odd = answerOf(
      'tool_use',
      { type: 'text', text: `I look ${HALF}` },
      call('t', 'read_file', `{"path":"a\\ud83d","\\udc00":1}`),
    )
    const odds = await oddFirst([odd], done)
    const tool = {
      ...readFile,
      description: `Reads ${HALF}`,
      run: () => ({ content: [{ type: 'text', text: `found ${HALF}` }] }),
    }
    const session = await odds.start({ tools: [tool], system: `You work ${HALF}` })
    expect((await odds.ask(session, `Read ${HALF}`)).at(-1)).toEqual({ type: 'end', reason: 'done' })
    expect(odds.statuses).toEqual([200])
    for (const body of odds.bodies) expect(body).not.toMatch(/\\ud83d(?!\\u)/i)
    expect(odds.bodies[1]).toContain('found \ufffd')
  })

  it('is joined where it comes in two pieces', async () => {
    const pieces = [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'A shell: \ud83d' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '\udc1a' } },
      { type: 'content_block_stop', index: 0 },
    ]
    const [start, ...rest] = answerOf('end_turn') as [object, ...object[]]
    const odds = await oddFirst([[start, ...pieces, ...rest]], done)
    const session = await odds.start()
    await odds.ask(session, 'Show one.')
    await odds.ask(session, 'More.')
    expect([odds.bodies[1], odds.statuses]).toEqual([expect.stringContaining('A shell: 🐚'), [200]])
  })
})

describe('an answer that lacks what every answer has', () => {
  const message = (more: object) => ({ type: 'message_start', message: more })
  const text = [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Yes.' } },
    { type: 'content_block_stop', index: 0 },
  ]
  const end = [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }]
  const odd: [what: string, events: readonly object[]][] = [
    ['usage', [message({ id: 'm' }), ...text, ...end]],
    ['usage, which is null', [message({ id: 'm', usage: null }), ...text, ...end]],
    ['figures in its usage', [message({ id: 'm', usage: { input_tokens: 'many', iterations: {} } }), ...text, ...end]],
    ['a message', [{ type: 'message_start' }, ...text, ...end]],
    ['a beginning', [...text, ...end]],
    [
      'a delta at its end',
      [message({ id: 'm', usage: {} }), ...text, { type: 'message_delta' }, { type: 'message_stop' }],
    ],
    ['an id', [message({ usage: {} }), ...text, ...end]],
    [
      'a block in its start',
      [
        message({ id: 'm' }),
        { type: 'content_block_start', index: 0 },
        { type: 'content_block_stop', index: 0 },
        ...text,
        ...end,
      ],
    ],
    [
      'a delta in a delta',
      [message({ id: 'm' }), ...text.slice(0, 1), { type: 'content_block_delta', index: 0 }, ...text.slice(1), ...end],
    ],
    [
      'text that is a text',
      [
        message({ id: 'm' }),
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: null } },
        ...text.slice(1),
        ...end,
      ],
    ],
    ['indexes', [message({ id: 'm' }), ...text.map(({ index: _, ...event }) => event), ...end]],
  ]
  it.each(odd)('is read all the same: %s', async (_, events) => {
    const odds = await oddFirst([events], done)
    const session = await odds.start()
    const told = await odds.ask(session, 'Well?')
    expect(told.at(-1)).toEqual({ type: 'end', reason: 'done' })
    expect(
      told.some((event) => event.type === 'response' && JSON.stringify(event.entry.content).includes('Yes.')),
    ).toBe(true)
    expect((await odds.ask(session, 'And?')).at(-1)).toEqual({ type: 'end', reason: 'done' })
    expect([odds.bodies.length, odds.statuses]).toEqual([2, [200]])
  })

  it('ends in order when events are no objects, or are none', async () => {
    const nonsense: Odd = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end('event: message_start\ndata: null\n\nevent: x\ndata: 7\n\nevent: error\ndata: null\n\n')
    }
    const odds = await oddFirst([nonsense], done)
    expect((await odds.ask(await odds.start(), 'Well?')).at(-1)).toEqual({ type: 'end', reason: 'done' })
  })

  it('keeps thinking that has no signature from spoiling the next request', async () => {
    const odd = answerOf('end_turn', { type: 'thinking', thinking: 'Hm.' }, { type: 'text', text: 'Yes.' })
    const odds = await oddFirst([odd], done)
    const session = await odds.start()
    await odds.ask(session, 'Well?')
    expect((await odds.ask(session, 'And?')).at(-1)).toEqual({ type: 'end', reason: 'done' })
  })
})
