import type { Session } from '@nacre/core'
import type { FaultKind } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { begin, lastRequest, listen, messagesOf, nine, reading, say, type Work, work } from './summary-session.js'

const isShared = (turn: { readonly tools: readonly unknown[] }) => turn.tools.length > 0
type Answer = ReturnType<NonNullable<Work['summary']>>

const BAD: readonly (readonly [string, Answer, RegExp])[] = [
  ['no summary', 'I would rather talk about the weather.', /is no summary/],
  ['a call instead of text', [{ type: 'tool_use', name: 'read', input: { path: 'a.ts' } }], /called a tool/],
  ['an error text', 'API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}', /is an error/],
  ['nothing', '', /gave no text/],
  ['a refusal', { content: ['I can not.'], stop: 'refusal' }, /refused/],
  ['an empty summary', '<summary> </summary>', /holds no summary/],
  ['a summary that is not smaller', nine({ 3: 'word '.repeat(30_000) }), /not smaller/],
]

describe('when the summary on the shared cache is no good', () => {
  it.each(BAD)('goes on with the plain call: %s', async (_name, bad, reason) => {
    const worked = await work({ summary: (turn) => (isShared(turn) ? bad : nine()) })
    const session = await begin(worked)
    await say(session, 'Read it.')
    const told = listen(session)
    const outcome = await session.compact()
    expect(told.verdicts()).toEqual([expect.stringMatching(/^shared (failed|refused)$/), 'plain taken'])
    const reasons = told.events.flatMap((event) => (event.type === 'relief' ? [event.decision.reason] : []))
    expect(reasons[0]).toMatch(reason)
    expect(outcome.edit?.reason).toBe('summarised by a plain call')
    expect(await say(session, 'And now?')).toBe('done')
    expect(worked.requests.every(({ status }) => status === 200)).toBe(true)
  })

  it.each(BAD)('goes up to the digest when the plain call gives the same: %s', async (_name, bad) => {
    const worked = await work({ summary: () => bad })
    const session = await begin(worked)
    await say(session, 'Read it.')
    const told = listen(session)
    await session.compact()
    expect(told.verdicts().at(-1)).toBe('digest taken')
    expect(await say(session, 'And now?')).toBe('done')
    expect(lastRequest(worked)).toContain('Read it.')
  })

  it.each(BAD)('leaves the view as it was when no rung is left: %s', async (_name, bad) => {
    const worked = await work({ summary: () => bad })
    const session = await begin(worked, { flags: { 'compact.digest': false } })
    await say(session, 'Read it.')
    const before = lastRequest(worked)
    const rounds = JSON.stringify(session.view().rounds)
    expect(await session.compact()).toHaveProperty('refused')
    expect(JSON.stringify(session.view().rounds)).toBe(rounds)
    await say(session, 'And now?')
    expect(messagesOf(lastRequest(worked)).startsWith(messagesOf(before).slice(0, -1))).toBe(true)
  })

  it('takes no summary that was cut at the limit of its output', async () => {
    const worked = await work({
      summary: (turn) => (isShared(turn) ? { content: [nine().slice(0, -40)], stop: 'max_tokens' } : nine()),
    })
    const session = await begin(worked)
    await say(session, 'Read it.')
    const told = listen(session)
    await session.compact()
    expect(told.verdicts()).toEqual(['shared failed', 'plain taken'])
  })

  it('takes a summary whose closing tag is missing when the model came to its end', async () => {
    const worked = await work({ summary: () => nine().replace('</summary>', '') })
    const session = await begin(worked)
    await say(session, 'Read it.')
    const told = listen(session)
    await session.compact()
    expect(told.verdicts()).toEqual(['shared taken'])
  })

  it('refuses one after which the view would still be above the threshold', async () => {
    const worked = await work({
      window: 40_000,
      calls: 5,
      summary: (turn) => (isShared(turn) ? nine({ 3: 'some words of a file. '.repeat(3_900) }) : nine()),
    })
    const session = await begin(worked, { tools: [reading(1_100)] })
    const told = listen(session)
    expect(await say(session, 'Read it.')).toBe('done')
    const reasons = told.events.flatMap((event) => (event.type === 'relief' ? [event.decision.reason] : []))
    expect(told.verdicts()).toEqual(['shared refused', 'plain taken'])
    expect(reasons.join()).toMatch(/still be above the threshold/)
  })
})

describe('when the summariser can not be reached', () => {
  const reach = async (session: Session, told = listen(session)) => {
    await session.compact()
    return told
  }

  it('waits through the tries of one way only, then digests', async () => {
    const worked = await work()
    let waits = 0
    const wait = () => {
      waits += 1
    }
    const session = await begin(worked, { details: { effects: { wait } } })
    await say(session, 'Read it.')
    await worked.simulator.close()
    const told = await reach(session)
    expect(told.verdicts()).toEqual(['shared failed', 'plain failed', 'digest taken'])
    expect(waits).toBe(8)
  })

  it('tries again when a person asks again', async () => {
    const worked = await work()
    const session = await begin(worked, { flags: { 'compact.digest': false } })
    await say(session, 'Read it.')
    const heal = worked.simulator.faults.add({ kind: 'overloaded', times: 1_000, source: 'compact' })
    expect((await reach(session)).verdicts()).toEqual(['shared failed', 'plain failed'])
    heal()
    expect((await reach(session)).verdicts()).toEqual(['shared taken'])
  })

  it.each<FaultKind>(['stream-error', 'cut', 'overloaded', 'reset'])('outlasts what passes: %s', async (kind) => {
    const worked = await work()
    const session = await begin(worked)
    await say(session, 'Read it.')
    worked.simulator.faults.add({ kind, times: 2, source: 'compact', amount: 4 })
    expect((await reach(session)).verdicts()).toEqual(['shared taken'])
  })

  it('digests when every answer breaks off', async () => {
    const worked = await work()
    const session = await begin(worked)
    await say(session, 'Read it.')
    worked.simulator.faults.add({ kind: 'stream-error', times: 1_000, source: 'compact', amount: 4 })
    expect((await reach(session)).verdicts()).toEqual(['shared failed', 'plain failed', 'digest taken'])
    worked.simulator.faults.clear()
    expect(await say(session, 'And now?')).toBe('done')
    expect(lastRequest(worked)).toContain('Read it.')
  })
})
