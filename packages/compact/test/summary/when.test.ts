import type { NoticeEntry, Session } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { compact, type Policy } from '../../src/index.js'
import { begin, listen, nine, reading, say, type Told, type Work, work } from './summary-session.js'

const figures = ({ events }: Told) =>
  events.flatMap((event) =>
    event.type === 'relief' && event.decision.rung === 'summary' && event.decision.pressure === 'idle'
      ? [event.decision]
      : [],
  )

const hasFigures = ({ figures: all }: { readonly figures?: object }) => all !== undefined

/** Core also tells of the sizes that the view comes to. */
const isStop = ({ owner, text }: NoticeEntry) => owner === 'core' && !text.startsWith('The context holds')

async function long(policy: Policy, options: Work = {}): Promise<{ told: Told; session: Session }> {
  const worked = await work({ calls: 60, ...options })
  const session = await begin(worked, { plugins: [compact({ policy })] })
  const told = listen(session)
  expect(await say(session, 'Read all of it.')).toBe('done')
  return { told, session }
}

describe('summaries by themselves', () => {
  it('come at the economic point with the policy economy, never below 30,000 tokens, and say what decided', async () => {
    const { told } = await long('economy')
    const heard = figures(told)
    expect(heard.some(({ verdict }) => verdict === 'declined')).toBe(true)
    const taken = heard.filter(({ verdict }) => verdict === 'taken')
    expect(taken.length).toBeGreaterThan(1)
    expect([...taken, ...heard.filter(({ verdict }) => verdict === 'declined')].every(hasFigures)).toBe(true)
    const receipts = told.events.flatMap((event) => (event.type === 'receipt' ? [event.receipt] : []))
    expect(receipts.length).toBeGreaterThan(0)
    for (const { tokens } of receipts) expect(tokens.before).toBeGreaterThanOrEqual(30_000)
  })

  it.each<Policy>(['balanced', 'fidelity'])(
    'are not thought of before there is need with the policy %s',
    async (policy) => {
      const { told } = await long(policy)
      expect(told.verdicts()).toEqual([])
    },
  )

  it('are not offered at the threshold while spans are collapsed, but by hand', async () => {
    const worked = await work({ window: 20_000, calls: 14 })
    const session = await begin(worked, { flags: { 'compact.collapse': true, 'compact.digest': false } })
    const told = listen(session)
    expect(await say(session, 'Read all of it.')).toBe('done')
    expect(told.verdicts().filter((verdict) => /^(shared|plain)/.test(verdict))).toEqual([])
    await session.compact()
    expect(told.verdicts()).toContain('shared taken')
  })

  it('stop after three failures with a notice that says why, and start again after one by hand', async () => {
    let isBad = true
    const worked = await work({ window: 20_000, calls: 24, summary: () => (isBad ? 'No.' : nine()) })
    const session = await begin(worked, { flags: { 'compact.digest': false } })
    const told = listen(session)
    expect(await say(session, 'Read all of it.')).toBe('done')
    const notices = () =>
      told.events.flatMap((event) => (event.type === 'notice' && isStop(event.notice) ? [event.notice.text] : []))
    expect(notices()).toEqual([expect.stringMatching(/stopped.*3 compactions in a row have failed/)])
    const asked = worked.asked.length
    expect(asked).toBe(6)
    isBad = false
    expect(await session.compact()).toHaveProperty('edit')
    expect(await say(session, 'Read on.')).toBe('done')
    expect(worked.asked.length).toBeGreaterThan(asked + 1)
    expect(notices()).toHaveLength(1)
  })

  it('stop after two that freed next to nothing, and say so', async () => {
    const worked = await work({
      window: 40_000,
      calls: 30,
      summary: () => nine({ 3: 'some words of a file. '.repeat(4_090) }),
    })
    const session = await begin(worked, { flags: { 'compact.digest': false }, tools: [reading(150)] })
    const told = listen(session)
    await say(session, 'Read all of it.')
    await say(session, 'Read on.')
    const notices = told.events.flatMap((event) =>
      event.type === 'notice' && isStop(event.notice) ? [event.notice.text] : [],
    )
    expect(notices).toEqual([expect.stringMatching(/2 compactions in a row have freed less than 10%/)])
  })
})
