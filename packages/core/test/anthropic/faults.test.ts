import { FAULT_KINDS, type Fault, scripted } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { blockPath, type Timer } from '../../src/anthropic/index.js'
import type { ErrorCode, NacreError } from '../../src/errors.js'
import type { Json } from '../../src/types/log.js'
import type { ModelEvent } from '../../src/types/model.js'
import { blocksOf, eventsOf, HELLO, requestOf, setUp } from './setup.js'

const user = (text: string): Json => ({ role: 'user', content: [{ type: 'text', text }] })

async function failure(work: Promise<unknown>): Promise<NacreError> {
  return work.then(
    () => {
      throw new Error('The call did not fail.')
    },
    (error) => error,
  )
}

/** A timer that goes off when the test says so. */
function createHandTimer() {
  const armed = new Set<() => void>()
  const timer: Timer = (_milliseconds, callback) => {
    armed.add(callback)
    return () => armed.delete(callback)
  }
  return { timer, fire: () => [...armed].at(-1)?.() }
}

describe('what goes wrong on the way', () => {
  const byFault: [fault: Fault, code: ErrorCode, details?: object][] = [
    [{ kind: 'rate-limit', retryAfter: 7 }, 'RATE_LIMITED', { retryAfter: 7 }],
    [{ kind: 'spend-cap' }, 'SPEND_CAP'],
    [{ kind: 'overloaded' }, 'OVERLOADED'],
    [{ kind: 'compaction-unavailable' }, 'OVERLOADED'],
    [{ kind: 'internal' }, 'SERVER'],
    [{ kind: 'timeout' }, 'SERVER'],
    [{ kind: 'too-long' }, 'PROMPT_TOO_LONG', { gap: 1, limit: 1_000_000 }],
    [{ kind: 'reset' }, 'NETWORK'],
    [{ kind: 'stream-error' }, 'OVERLOADED'],
    [{ kind: 'stream-error', amount: 0 }, 'OVERLOADED'],
    [{ kind: 'cut' }, 'NETWORK'],
  ]
  it.each(byFault)('%o is told by its code, and the call after it succeeds', async (fault, code, details = {}) => {
    const { connect, simulator, exchanges } = await setUp({ model: scripted(() => 'word '.repeat(100)) })
    simulator.faults.add(fault)
    const error = await failure(eventsOf(connect()))
    expect(error).toMatchObject({ name: 'NacreError', code, details })
    expect(exchanges.length).toBeLessThanOrEqual(1)
    expect(blocksOf(await eventsOf(connect()))).toHaveLength(1)
  })

  it('covers every fault that the simulator has', () => {
    const named = new Set<string>([...byFault.map(([{ kind }]) => kind), 'slow', 'stall'])
    expect([...FAULT_KINDS].filter((kind) => !named.has(kind))).toEqual([])
  })

  it('waits for a first byte that is slow', async () => {
    const { connect, simulator } = await setUp()
    simulator.faults.add({ kind: 'slow', amount: 5 })
    expect(blocksOf(await eventsOf(connect()))).toHaveLength(1)
  })

  it('gives up a stream that is silent for too long', async () => {
    const { connect, simulator } = await setUp()
    simulator.faults.add({ kind: 'stall', amount: 4 })
    const { timer, fire } = createHandTimer()
    const model = connect({ idle: { milliseconds: 90_000, timer } })
    const seen: ModelEvent[] = []
    const error = await failure(
      (async () => {
        for await (const event of model.stream(HELLO, new AbortController().signal)) {
          seen.push(event)
          // The last event that gets through: what comes next is silence.
          if (event.type === 'delta') setImmediate(fire)
        }
      })(),
    )
    expect(error).toMatchObject({ code: 'NETWORK', message: 'The stream was silent for 90 seconds.' })
    expect(seen.map(({ type }) => type)).toEqual(['start', 'delta'])
  })

  it('stops at once when it is aborted, before and during the answer', async () => {
    const { connect, simulator } = await setUp()
    const gone = AbortSignal.abort()
    expect(await failure(eventsOf(connect(), HELLO, gone))).toMatchObject({ code: 'ABORTED' })
    simulator.faults.add({ kind: 'stall', amount: 4 })
    const controller = new AbortController()
    const work = (async () => {
      for await (const event of connect().stream(HELLO, controller.signal))
        if (event.type === 'delta') controller.abort()
    })()
    expect(await failure(work)).toMatchObject({ code: 'ABORTED' })
    expect(await failure(connect().count?.(HELLO, gone) ?? Promise.resolve())).toMatchObject({ code: 'ABORTED' })
  })

  it('ends the request when nobody reads on', async () => {
    const { connect, simulator, exchanges } = await setUp()
    simulator.faults.add({ kind: 'stall', amount: 4 })
    const left = new Promise<void>((resolve) => simulator.observe(() => resolve()))
    for await (const event of connect().stream(HELLO, new AbortController().signal)) if (event.type === 'start') break
    await left
    expect(exchanges).toHaveLength(1)
  })
})

describe('what the server refuses', () => {
  it('names a model that it does not have', async () => {
    const { connect } = await setUp()
    const error = await failure(eventsOf(connect({ model: 'claude-none' }), { ...HELLO, model: 'claude-none' }))
    expect(error.code).toBe('UNKNOWN_MODEL')
  })

  it('names a key that it does not know, and a request that makes no sense', async () => {
    const { connect } = await setUp({ accounts: { key: {} } })
    expect((await failure(eventsOf(connect({ apiKey: 'other' })))).code).toBe('AUTH')
    expect((await failure(eventsOf(connect(), requestOf([])))).code).toBe('INVALID_REQUEST')
  })

  it('tells how far a prompt is over the window', async () => {
    const { connect } = await setUp({ models: [{ id: 'small', like: 'claude-opus-5-5', window: 2_000 }] })
    const request = { ...requestOf([user('word '.repeat(5_000))]), model: 'small' }
    const { code, details } = await failure(eventsOf(connect({ model: 'small' }), request))
    expect([code, details.limit]).toEqual(['PROMPT_TOO_LONG', 2_000])
    expect(details.gap).toBeGreaterThan(1_000)
  })

  it('tells which thinking block is bound to another conversation', async () => {
    const { connect } = await setUp({ model: scripted([[{ type: 'thinking', thinking: 'Hm.' }, 'One.'], 'Two.']) })
    const blocks = blocksOf(await eventsOf(connect()))
    const edited = requestOf([user('Other'), { role: 'assistant', content: blocks as unknown as Json }, user('Go on')])
    const error = await failure(eventsOf(connect(), edited))
    expect(error.code).toBe('BOUND_THINKING')
    expect(blockPath(error.message)).toEqual({ message: 1, block: 0 })
    expect((await failure(connect().count?.(edited, new AbortController().signal) ?? Promise.resolve())).code).toBe(
      'BOUND_THINKING',
    )
  })
})
