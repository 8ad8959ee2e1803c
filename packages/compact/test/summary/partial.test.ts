import { memoryStore, type Session } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { begin, lastRequest, listen, messagesOf, nine, say, work } from './summary-session.js'

const UP_TO = ['Work completed', 'Context for continuing']

/** The round in which a person said something. */
function promptOf(session: Session, words: string): string {
  const round = session.view().rounds.find(({ entries }) => JSON.stringify(entries[0]?.content).includes(words))
  return round?.span.from as string
}

describe('a part of the conversation', () => {
  it('from a message on is folded, and what precedes it stays with its cache', async () => {
    const worked = await work({ calls: 3 })
    const session = await begin(worked)
    await say(session, 'First, read it.')
    const before = messagesOf(lastRequest(worked))
    await say(session, 'Second, read on.')
    const outcome = await session.compact({ part: { from: promptOf(session, 'Second') } })
    expect(outcome.edit?.receipt?.rung).toBe('summary')
    const prompt = JSON.stringify(worked.asked[0]?.messages.at(-1)?.content.at(-1))
    expect(prompt).toContain('that follows from the message that begins with «Second, read on.»')
    await say(session, 'Third.')
    const after = messagesOf(lastRequest(worked))
    expect(after.startsWith(before.slice(0, -1))).toBe(true)
    expect(after).toContain('Primary request and intent')
    expect(after).toContain('Second, read on.')
    expect(session.breaks()).toEqual([])
  })

  it('up to a message is folded with other last sections, and what follows it stays', async () => {
    const worked = await work({ calls: 3, summary: () => nine({}, UP_TO) })
    const session = await begin(worked)
    await say(session, 'First, read it.')
    await say(session, 'Second, read on.')
    const told = listen(session)
    await session.compact({ part: { upTo: promptOf(session, 'Second') } })
    expect(told.verdicts()).toEqual(['shared taken'])
    const prompt = JSON.stringify(worked.asked[0]?.messages.at(-1)?.content.at(-1))
    expect(prompt).toContain('8. Work completed')
    expect(prompt).toContain('9. Context for continuing')
    expect(prompt).not.toMatch(/Current work|Next step/)
    const [fold, next] = session.view().rounds
    expect(JSON.stringify(fold?.content)).toContain('Work completed')
    expect(JSON.stringify(next?.entries[0]?.content)).toContain('Second, read on.')
    await say(session, 'Third.')
    expect(worked.requests.every(({ status }) => status === 200)).toBe(true)
  })

  it('up to a message takes a summary with the sections of a whole one as well, and says so', async () => {
    const worked = await work({ calls: 3 })
    const session = await begin(worked, { flags: { 'compact.digest': false } })
    await say(session, 'First, read it.')
    await say(session, 'Second, read on.')
    const outcome = await session.compact({ part: { upTo: promptOf(session, 'Second') } })
    const detail = '9 of 9, 2 by their number'
    expect(outcome.edit?.receipt?.checks[0]).toEqual({ name: 'sections', ok: true, detail })
  })

  it('up to a message is sent alone where the cache ends there, and read from it', async () => {
    const worked = await work({ calls: 3, summary: () => nine({}, UP_TO) })
    const inputs: { source: string; input: number; read: number; write5m: number }[] = []
    worked.simulator.observe(({ entry }) => inputs.push(entry))
    const session = await begin(worked)
    await say(session, 'First, read it.')
    const before = lastRequest(worked)
    const [main] = inputs.slice(-1)
    await say(session, 'Second, read on.')
    const outcome = await session.compact({ part: { upTo: promptOf(session, 'Second') } })
    const fork = inputs.at(-1)
    expect(fork?.source).toBe('compact')
    expect(fork?.read).toBe((main?.read ?? 0) + (main?.write5m ?? 0))
    expect(fork?.write5m).toBe(0)
    const asked = worked.requests.at(-1)?.body ?? ''
    expect(messagesOf(asked).startsWith(messagesOf(before).slice(0, -1))).toBe(true)
    expect(asked).toContain('Done with 3 files.')
    expect(asked).not.toContain('Second, read on.')
    expect(outcome.edit?.reason).toBe('summarised on the shared cache, of what stands before the point alone')
    expect(outcome.edit?.receipt?.checks).toContainEqual({ name: 'part', ok: true, detail: 'the part alone was sent' })
    expect(session.breaks()).toEqual([])
  })

  it('up to a message is named in the prompt where nobody knows of a cache that ends there, as after a resume', async () => {
    const worked = await work({ calls: 3, summary: () => nine({}, UP_TO) })
    const store = memoryStore()
    const first = await begin(worked, { store })
    await say(first, 'First, read it.')
    await say(first, 'Second, read on.')
    await first.close()
    const session = await begin(worked, { store, open: { resume: first.id } })
    const outcome = await session.compact({ part: { upTo: promptOf(session, 'Second') } })
    const prompt = JSON.stringify(worked.asked[0]?.messages.at(-1)?.content.at(-1))
    expect(prompt).toContain('that stands before the message that begins with «Second, read on.»')
    const detail = 'all of the view was sent, and the prompt named the part'
    expect(outcome.edit?.receipt?.checks).toContainEqual({ name: 'part', ok: true, detail })
  })

  it('up to a message is sent alone by the plain call, which says nothing of what follows', async () => {
    const worked = await work({ calls: 3, summary: ({ tools }) => (tools.length > 0 ? 'No.' : nine({}, UP_TO)) })
    const session = await begin(worked)
    await say(session, 'First, read it.')
    await say(session, 'Second, read on.')
    const outcome = await session.compact({ part: { upTo: promptOf(session, 'Second') } })
    expect(outcome.edit?.reason).toBe('summarised by a plain call')
    const body = worked.requests.findLast(({ source }) => source === 'compact')?.body ?? ''
    expect(body).toContain('First, read it.')
    expect(body).not.toContain('Second, read on.')
  })

  it('is summarised of its own words alone by the plain call', async () => {
    const worked = await work({ calls: 3, summary: ({ tools }) => (tools.length > 0 ? 'No.' : nine()) })
    const session = await begin(worked)
    await say(session, 'First, read it.')
    await say(session, 'Second, read on.')
    await session.compact({ part: { from: promptOf(session, 'Second') } })
    const words = JSON.stringify(worked.asked.at(-1)?.messages)
    expect(words).not.toContain('First, read it.')
    expect(words).toContain('[called read with')
    expect(words).toContain('[result of read]')
  })

  it('that is nowhere in view is refused', async () => {
    const worked = await work({ calls: 1 })
    const session = await begin(worked)
    await say(session, 'First.')
    expect(await session.compact({ part: { from: 'nothing' } })).toEqual({ refused: 'There is nothing to compact.' })
  })
})
