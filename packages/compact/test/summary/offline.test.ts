import { summarize } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { begin, lastRequest, listen, say, work } from './summary-session.js'

describe('over a long session with the offline summariser', () => {
  it.each([
    ['shared', {}],
    ['plain', {}],
    ['server', { 'compact.server': true }],
  ])('folds again and again, refuses nothing and keeps the prompt: %s', async (way, flags) => {
    const worked = await work({
      window: 30_000,
      calls: 45,
      summary: (turn) => (way === 'plain' && turn.tools.length > 0 ? 'No.' : summarize(turn)),
    })
    const session = await begin(worked, { flags })
    const told = listen(session)
    expect(await say(session, 'Read all of it, and never touch legacy/.')).toBe('done')
    const taken = told.verdicts().filter((verdict) => verdict.endsWith('taken'))
    expect(taken.length).toBeGreaterThan(2)
    expect(new Set(taken)).toEqual(new Set([`${way} taken`]))
    const main = worked.requests.filter(({ source }) => source === 'main')
    expect(main.filter(({ body }) => !body.includes('Read all of it, and never touch legacy/.'))).toEqual([])
    expect(worked.requests.filter(({ status }) => status !== 200)).toEqual([])
    expect(lastRequest(worked).length).toBeLessThan(120_000)
  })
})
