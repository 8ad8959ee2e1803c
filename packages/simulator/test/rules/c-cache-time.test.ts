import { describe, expect, it } from 'vitest'
import { type SimulatedModel, scripted, stillClock } from '../../src/index.js'
import { bill, blocks, count, request, split, type Ttl, tiny } from '../support/prompt-cache.js'
import { rejection, simulate } from '../support/simulate.js'

const MINUTE = 60_000
const LIFETIMES: readonly [Ttl, number][] = [
  ['5m', 5 * MINUTE],
  ['1h', 60 * MINUTE],
]

const body = (ttl: Ttl = '5m') => request(blocks(1, { 1: ttl }))

/** A simulator whose answers take as long as the list says, one after the other. */
async function slow(durations: readonly number[]) {
  const clock = stillClock()
  const left = [...durations]
  const model: SimulatedModel = () => {
    clock.advance(left.shift() ?? 0)
    return 'ok'
  }
  return simulate({ models: [tiny], clock, model })
}

/** A model that waits for `release`; `arrived` resolves once so many requests wait. */
function heldModel(size: number) {
  let release: () => void = () => undefined
  let arrive: () => void = () => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  let waiting = 0
  const model = scripted(async () => {
    waiting += 1
    if (waiting === size) arrive()
    if (waiting <= size) await gate
    return 'ok'
  })
  return { model, arrived, release: () => release() }
}

describe('Lifetimes of the prompt cache', () => {
  it.each(LIFETIMES)('[C8] keeps a %s entry for its lifetime, and every read renews it', async (ttl, life) => {
    const { client, simulator } = await simulate({ models: [tiny] })
    const total = await count(client, body())
    const write = split(ttl === '5m' ? { write5m: total } : { write1h: total })
    expect(await bill(client, body(ttl))).toEqual(write)
    for (let round = 0; round < 3; round++) {
      simulator.clock.advance(life - 1)
      expect(await bill(client, body(ttl))).toEqual(split({ read: total }))
    }
    simulator.clock.advance(life)
    expect(await bill(client, body(ttl))).toEqual(write)
  })

  it.each(LIFETIMES)('[C8] counts %s from the start of the request that wrote', async (ttl, life) => {
    for (const { rest, isAlive } of [
      { rest: life - 2 * MINUTE - 1, isAlive: true },
      { rest: life - 2 * MINUTE, isAlive: false },
    ]) {
      const { client, simulator } = await slow([2 * MINUTE])
      await bill(client, body(ttl))
      simulator.clock.advance(rest)
      expect((await bill(client, body(ttl))).read > 0).toBe(isAlive)
    }
  })

  it.each(LIFETIMES)('[C8] counts %s from the start of the request that read', async (ttl, life) => {
    for (const { rest, isAlive } of [
      { rest: life - 2 * MINUTE - 1, isAlive: true },
      { rest: life - 2 * MINUTE, isAlive: false },
    ]) {
      const { client, simulator } = await slow([0, 2 * MINUTE])
      await bill(client, body(ttl))
      simulator.clock.advance(MINUTE)
      await bill(client, body(ttl))
      simulator.clock.advance(rest)
      expect((await bill(client, body(ttl))).read > 0).toBe(isAlive)
    }
  })

  it('[C8] looks for entries that were alive when the request began', async () => {
    const { client, simulator } = await slow([0, 10 * MINUTE])
    const total = await count(client, body())
    await bill(client, body())
    simulator.clock.advance(4 * MINUTE)
    expect(await bill(client, body())).toEqual(split({ read: total }))
    expect(await bill(client, body())).toEqual(split({ write5m: total }))
  })

  it('[C8] renews an entry that the look back found, for the lifetime it was written with', async () => {
    const { client, simulator } = await simulate({ models: [tiny] })
    const [one, two] = [await count(client, request(blocks(1))), await count(client, request(blocks(2)))]
    await bill(client, request(blocks(1, { 1: '1h' })))
    simulator.clock.advance(59 * MINUTE)
    expect(await bill(client, request(blocks(2, { 2: '5m' })))).toEqual(split({ read: one, write5m: two - one }))
    simulator.clock.advance(59 * MINUTE)
    expect(await bill(client, request(blocks(2, { 2: '5m' })))).toEqual(split({ read: one, write5m: two - one }))
  })

  it.each(['marked', 'hit'] as const)('[C8] renews by a read what the detail "refresh: %s" says', async (refresh) => {
    const { client, simulator } = await simulate({ models: [tiny], details: { refresh } })
    const one = await count(client, request(blocks(1)))
    await bill(client, request(blocks(3, { 1: '5m', 3: '5m' })))
    simulator.clock.advance(4 * MINUTE)
    await bill(client, request(blocks(3, { 1: '5m', 3: '5m' })))
    simulator.clock.advance(4 * MINUTE)
    expect((await bill(client, request(blocks(1, { 1: '5m' })))).read).toBe(refresh === 'marked' ? one : 0)
  })

  it('[C8] keeps the lifetime that an entry was written with when a one-hour marker reads it', async () => {
    const { client, simulator } = await simulate({ models: [tiny] })
    const total = await count(client, body())
    await bill(client, body('5m'))
    expect(await bill(client, body('1h'))).toEqual(split({ read: total }))
    simulator.clock.advance(5 * MINUTE)
    expect(await bill(client, body('1h'))).toEqual(split({ write1h: total }))
  })

  it('[C8] keeps what a later request gave when an earlier one is answered after it', async () => {
    const held = heldModel(1)
    const { client, simulator } = await simulate({ models: [tiny], model: held.model })
    const early = bill(client, body())
    await held.arrived
    simulator.clock.advance(4 * MINUTE)
    await bill(client, body())
    held.release()
    await early
    simulator.clock.advance(4 * MINUTE)
    expect(await bill(client, body())).toEqual(split({ read: await count(client, body()) }))
  })

  it('[C9] lets requests in parallel all miss and all write, and the next one read', async () => {
    const held = heldModel(3)
    const { client } = await simulate({ models: [tiny], model: held.model })
    const total = await count(client, body())
    const parallel = Promise.all([1, 2, 3].map(() => bill(client, body())))
    await held.arrived
    held.release()
    expect(await parallel).toEqual([1, 2, 3].map(() => split({ write5m: total })))
    expect(await bill(client, body())).toEqual(split({ read: total }))
  })

  it('[C9] lets others read as soon as a stream has begun', async () => {
    expect.assertions(2)
    const { client, simulator } = await simulate({ models: [tiny] })
    simulator.faults.add({ kind: 'stall', amount: 1 })
    const stream = await client.messages.create({ ...body(), stream: true })
    for await (const event of stream) {
      expect(event.type).toBe('message_start')
      expect(await bill(client, body())).toEqual(split({ read: await count(client, body()) }))
      stream.controller.abort()
    }
  })

  it('[C9] has nothing to read after a request that failed', async () => {
    const { client, simulator } = await simulate({ models: [tiny] })
    simulator.faults.add({ kind: 'overloaded' })
    expect((await rejection(client.messages.create(body()))).status).toBe(529)
    expect(await bill(client, body())).toEqual(split({ write5m: await count(client, body()) }))
  })
})
