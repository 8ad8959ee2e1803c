import { describe, expect, it } from 'vitest'
import { FAULT_KINDS, type FaultKind, type Simulator } from '../src/index.js'
import { hello } from './support/conversation.js'
import { send, simulate } from './support/simulate.js'

/** The statuses of so many requests, one after the other. */
async function statuses(simulator: Simulator, count: number, headers: Record<string, string> = {}): Promise<number[]> {
  const seen: number[] = []
  for (let sent = 0; sent < count; sent++) seen.push((await send(simulator, hello, headers)).status)
  return seen
}

describe('faults', () => {
  it('happen once by default', async () => {
    const { simulator } = await simulate()
    simulator.faults.add({ kind: 'overloaded' })
    expect(await statuses(simulator, 3)).toEqual([529, 200, 200])
  })

  it('happen as often as was said, after as many as were said', async () => {
    const { simulator } = await simulate()
    simulator.faults.add({ kind: 'internal', times: 2, after: 1 })
    expect(await statuses(simulator, 5)).toEqual([200, 500, 500, 200, 200])
  })

  it('come one after the other where several are set', async () => {
    const { simulator } = await simulate()
    simulator.faults.add({ kind: 'internal' })
    simulator.faults.add({ kind: 'overloaded', times: 2 })
    expect(await statuses(simulator, 4)).toEqual([500, 529, 529, 200])
  })

  it('strike one source only where one is named', async () => {
    const { simulator } = await simulate()
    simulator.faults.add({ kind: 'overloaded', times: 2, source: 'summaries' })
    expect(await statuses(simulator, 2)).toEqual([200, 200])
    expect(await statuses(simulator, 3, { 'x-nacre-source': 'summaries' })).toEqual([529, 529, 200])
  })

  it('of a probability follow the same pattern for the same seed', async () => {
    const pattern = async (seed: number) => {
      const { simulator } = await simulate()
      simulator.faults.add({ kind: 'overloaded', probability: 0.5, seed })
      return statuses(simulator, 40)
    }
    const first = await pattern(1)
    expect(await pattern(1)).toEqual(first)
    expect(await pattern(2)).not.toEqual(first)
    const struck = first.filter((status) => status === 529).length
    expect(struck).toBeGreaterThan(8)
    expect(struck).toBeLessThan(32)
  })

  it('of a probability end where a number of times is given too', async () => {
    const { simulator } = await simulate()
    simulator.faults.add({ kind: 'overloaded', probability: 1, times: 2 })
    expect(await statuses(simulator, 4)).toEqual([529, 529, 200, 200])
  })

  it('can be taken out again, one or all', async () => {
    const { simulator } = await simulate()
    const remove = simulator.faults.add({ kind: 'internal', times: 9 })
    simulator.faults.add({ kind: 'overloaded', times: 9 })
    remove()
    expect(await statuses(simulator, 1)).toEqual([529])
    simulator.faults.clear()
    expect(await statuses(simulator, 1)).toEqual([200])
  })

  it('with an unknown name are refused with the names there are', async () => {
    const { simulator } = await simulate()
    expect(() => simulator.faults.add({ kind: 'earthquake' as FaultKind })).toThrow(
      `There is no fault 'earthquake'. Known: ${FAULT_KINDS.join(', ')}.`,
    )
  })

  it('tell how long to wait for a rate limit', async () => {
    const { simulator } = await simulate()
    simulator.faults.add({ kind: 'rate-limit', retryAfter: 17 })
    expect((await send(simulator, hello)).headers.get('retry-after')).toBe('17')
  })

  it('name the window of the model in a prompt that is too long', async () => {
    const { simulator } = await simulate()
    simulator.faults.add({ kind: 'too-long' })
    const { body } = await send(simulator, { ...hello, model: 'claude-haiku-4-5' })
    expect(body.error?.message).toBe('prompt is too long: 200001 tokens > 200000 maximum')
  })

  it('leave the counting of tokens alone', async () => {
    const { simulator } = await simulate()
    simulator.faults.add({ kind: 'overloaded' })
    const { max_tokens: _, ...request } = hello
    expect((await send(simulator, request, {}, '/v1/messages/count_tokens')).status).toBe(200)
    expect(await statuses(simulator, 1)).toEqual([529])
  })

  it('do not write the cache when the request fails', async () => {
    const { simulator } = await simulate()
    const request = {
      ...hello,
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'word '.repeat(2_000), cache_control: { type: 'ephemeral' } }],
        },
      ],
    }
    simulator.faults.add({ kind: 'overloaded' })
    await send(simulator, request)
    const { body } = await send(simulator, request)
    const usage = body.usage as Record<string, number>
    expect(usage.cache_read_input_tokens).toBe(0)
    expect(usage.cache_creation_input_tokens).toBeGreaterThan(2_000)
  })
})
