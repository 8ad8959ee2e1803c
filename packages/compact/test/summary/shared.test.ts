import { describe, expect, it } from 'vitest'
import { begin, lastRequest, listen, messagesOf, say, work } from './summary-session.js'

describe('a summary on the shared cache', () => {
  it('extends the last request to the byte and reads all of it from the cache', async () => {
    const worked = await work({ window: 20_000, calls: 14 })
    const inputs: { source: string; input: number; read: number; write5m: number }[] = []
    worked.simulator.observe(({ entry }) => inputs.push(entry))
    const session = await begin(worked)
    const told = listen(session)
    expect(await say(session, 'Read all of it.')).toBe('done')
    expect(told.verdicts()[0]).toBe('shared taken')
    const at = worked.requests.findIndex(({ source }) => source === 'compact')
    const before = worked.requests[at - 1]
    const asked = worked.requests[at]
    expect(before?.source).toBe('main')
    expect(messagesOf(asked?.body ?? '').startsWith(messagesOf(before?.body ?? '').slice(0, -1))).toBe(true)
    const main = inputs[at - 1]
    const fork = inputs[at]
    expect(fork?.read).toBeGreaterThanOrEqual((main?.input ?? 0) + (main?.read ?? 0) + (main?.write5m ?? 0))
    expect(fork?.write5m).toBe(0)
    expect(worked.requests.every(({ status }) => status === 200)).toBe(true)
    expect(lastRequest(worked)).toContain('Read all of it.')
  })
})
