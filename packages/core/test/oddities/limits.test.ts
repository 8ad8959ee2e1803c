import { scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import type { Timer } from '../../src/anthropic/index.js'
import type { SessionEvent } from '../../src/types/events.js'
import { HELLO } from '../anthropic/setup.js'
import { answerOf, call, eventText, type Odd, oddFirst, START } from './odd-first.js'

const done = scripted(() => 'Done.')

const refused =
  (status: number, headers: Record<string, string>, error: object): Odd =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ type: 'error', error }))
  }
const limited = (headers: Record<string, string> = {}, message = 'Slow down.') =>
  refused(429, headers, { type: 'rate_limit_error', message })

const endOf = (events: readonly SessionEvent[]) => events.at(-1) as Extract<SessionEvent, { type: 'end' }>

describe('a 429', () => {
  it('that names no time is tried again, later and later', async () => {
    const odds = await oddFirst([limited(), limited(), limited()], done)
    const random = () => 0
    const session = await odds.start({ details: { effects: { random } } })
    expect(endOf(await odds.ask(session, 'Go on.')).reason).toBe('done')
    expect(odds.waits).toEqual([500, 1_000, 2_000])
  })

  const caps = [
    'This request would exceed the spend limit of your workspace.',
    'You have reached your specified API usage limits. You will regain access on 2026-12-01.',
    'Your monthly spending cap is used up.',
    'Your credit balance is too low.',
  ]
  it.each(caps)('whose text is about money is not: %s', async (text) => {
    const odds = await oddFirst([limited({}, text)], done)
    expect(endOf(await odds.ask(await odds.start(), 'Go on.')).error?.code).toBe('SPEND_CAP')
    expect(odds.bodies).toHaveLength(1)
  })

  const waits: [header: string, most: number][] = [
    ['9999999999', 300_000],
    ['1e300', 300_000],
    ['Infinity', 300_000],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 300_000],
    ['299', 299_000],
    ['-5', 500],
    ['NaN', 500],
    ['soon', 500],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 500],
  ]
  it.each(waits)('that says %s is waited for %i ms at most', async (header, most) => {
    const odds = await oddFirst([limited({ 'retry-after': header })], done)
    const session = await odds.start({ details: { effects: { random: () => 0 } } })
    expect(endOf(await odds.ask(session, 'Go on.')).reason).toBe('done')
    expect(odds.waits).toEqual([most])
  })
})

/** Time that passes when the test says so. */
function handTime() {
  let now = 0
  const armed = new Map<() => void, number>()
  const timer: Timer = (milliseconds, fire) => {
    const own = () => fire()
    armed.set(own, now + milliseconds)
    return () => void armed.delete(own)
  }
  return {
    timer,
    pass(milliseconds: number) {
      now += milliseconds
      for (const [fire, at] of [...armed]) if (at <= now && armed.delete(fire)) fire()
    },
  }
}

describe('a server that does not get on', () => {
  /** Retries are of no interest here: time only passes for what is asked first. */
  const reasons = (events: readonly SessionEvent[]) =>
    events.flatMap((event) => (event.type === 'recovery' ? [event.reason] : []))

  it('and sends no headers is left at a limit', async () => {
    const time = handTime()
    const silent: Odd = () => setImmediate(() => time.pass(300_000))
    const odds = await oddFirst([silent], done, {}, { idle: { timer: time.timer } })
    const events = await odds.ask(await odds.start(), 'Well?')
    expect(endOf(events).reason).toBe('done')
    expect(reasons(events)).toEqual(['The server sent no answer within 300 seconds.'])
  })

  it('and begins an error that it does not end is left at the same limit', async () => {
    const time = handTime()
    const half: Odd = (response) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.write('{"type":')
      setImmediate(() => time.pass(300_000))
    }
    const odds = await oddFirst([half], done, {}, { idle: { timer: time.timer } })
    expect(reasons(await odds.ask(await odds.start(), 'Well?'))).toEqual([
      'The server sent no answer within 300 seconds.',
    ])
  })

  const endless: [what: string, event: object][] = [
    ['pings', { type: 'ping' }],
    ['events that nobody knows', { type: 'still_here' }],
    ['pieces with nothing in them', { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '' } }],
  ]
  it.each(endless)('and only sends %s is left after a quarter of an hour', async (_, event) => {
    const time = handTime()
    const busy: Odd = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(eventText(START))
      response.write(eventText({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }))
      const next = () => {
        if (response.destroyed) return
        time.pass(60_000)
        response.write(eventText(event), () => setImmediate(next))
      }
      setImmediate(next)
    }
    const odds = await oddFirst([busy], done, {}, { idle: { timer: time.timer } })
    const events = await odds.ask(await odds.start(), 'Well?')
    expect(endOf(events).reason).toBe('done')
    expect(reasons(events)).toEqual(['The stream brought nothing of an answer for 15 minutes.'])
  })

  it('may think for as long as it likes, if it goes on at last', async () => {
    const time = handTime()
    const slow: Odd = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      let minutes = 0
      const next = () => {
        time.pass(60_000)
        if (minutes++ < 12) return response.write(eventText({ type: 'ping' }), () => setImmediate(next))
        for (const event of answerOf('end_turn', { type: 'text', text: 'Yes.' })) response.write(eventText(event))
        return response.end()
      }
      setImmediate(next)
    }
    const odds = await oddFirst([slow], done, {}, { idle: { timer: time.timer } })
    expect(reasons(await odds.ask(await odds.start(), 'Well?'))).toEqual([])
  })

  it('and sends more than any answer can hold is left', async () => {
    const piece = eventText({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'x'.repeat(1_000_000) },
    })
    const flood: Odd = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(eventText({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }))
      const next = () => void (response.destroyed || response.write(piece, () => setImmediate(next)))
      next()
    }
    const odds = await oddFirst([flood], done)
    expect(reasons(await odds.ask(await odds.start(), 'Well?'))).toEqual([
      'The stream brought more than an answer can hold, and no end.',
    ])
  })
})

describe('what goes on for ever', () => {
  it('ends a turn that the server pauses again and again, and says how to go on', async () => {
    let isPaused = true
    let number = 0
    const search = () => ({ type: 'server_tool_use', id: `srvtoolu_${number++}`, name: 'web_search', input: {} })
    const odds = await oddFirst([], ({ source }) =>
      isPaused && source === 'main' ? { content: [search()], stop: 'pause_turn' } : 'There.',
    )
    const session = await odds.start()
    const end = endOf(await odds.ask(session, 'Search.'))
    expect(end).toMatchObject({ reason: 'max-turns', error: { code: 'LIMIT_REACHED' } })
    expect(end.error?.message).toMatch(/paused.*without a prompt/s)
    expect(odds.bodies).toHaveLength(26)
    isPaused = false
    const again = await odds.ask(session, undefined)
    expect(endOf(again).reason).toBe('done')
  })

  it('leaves a session usable whose server tool never came to an end', async () => {
    const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } }
    const odds = await oddFirst([answerOf('end_turn', { type: 'text', text: 'I search.' }, search)], done)
    const session = await odds.start()
    await odds.ask(session, 'Search.')
    expect(endOf(await odds.ask(session, 'Leave it.')).reason).toBe('done')
    expect(odds.statuses).toEqual([200])
  })

  it('takes no count of tokens that is none', async () => {
    const counts = [{}, { input_tokens: null }, { input_tokens: 'many' }, null]
    const odd = counts.map(
      (count): Odd =>
        (response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(count)),
    )
    const odds = await oddFirst(odd, done)
    for (const _ of counts)
      await expect(odds.model.count?.(HELLO, new AbortController().signal)).rejects.toMatchObject({
        name: 'NacreError',
      })
  })

  it('ends a model that never stops calling tools, and says how to go on', async () => {
    let number = 0
    const odds = await oddFirst([], () => [{ type: 'tool_use', name: 'read_file', input: { path: `${number++}` } }])
    const short = {
      name: 'read_file',
      description: '',
      schema: { json: { type: 'object' as const }, parse: (input: unknown) => input },
    }
    const tool = { ...short, isReadOnly: () => true, isConcurrencySafe: () => true, run: () => ({ content: [] }) }
    const session = await odds.start({ tools: [tool] })
    const end = endOf(await odds.ask(session, 'Look.'))
    expect(end).toMatchObject({ reason: 'max-turns', error: { code: 'LIMIT_REACHED' } })
    expect(end.error?.message).toMatch(/1,000 turns.*without a prompt.*maxTurns/s)
    expect(odds.bodies).toHaveLength(1_000)
  })

  it('says nothing of a limit that was asked for', async () => {
    const odds = await oddFirst([answerOf('tool_use', call('t', 'read_file', '{"path":"a"}'))], done)
    const session = await odds.start({ details: { limits: { maxTurns: 1 } } })
    expect(endOf(await odds.ask(session, 'Look.'))).toEqual({ type: 'end', reason: 'max-turns' })
  })
})
