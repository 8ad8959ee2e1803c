import { expect, it } from 'vitest'
import { withIdleTimeout } from '../../src/anthropic/stream-limits.js'

it('starts anew with each item, and is off between them', async () => {
  const running = new Set<() => void>()
  let started = 0
  const timer = (_milliseconds: number, callback: () => void) => {
    started += 1
    running.add(callback)
    return () => running.delete(callback)
  }
  async function* source() {
    yield 1
    yield 2
  }
  const seen: number[] = []
  for await (const item of withIdleTimeout(source(), 1_000, timer)) {
    await Promise.resolve()
    expect(running.size).toBe(0)
    seen.push(item)
  }
  expect([seen, started]).toEqual([[1, 2], 3])
})
