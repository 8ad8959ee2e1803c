import { describe, expect, it } from 'vitest'
import { begin, lastRequest, listen, nine, reading, say, type Worked, work } from './summary-session.js'

const wordsOf = (body: string) =>
  (JSON.parse(body) as { messages: { role: string; content: { text: string }[] }[] }).messages

const asked = ({ requests }: Worked) => requests.filter(({ source }) => source === 'compact')

describe('a summary that is too long to be made', () => {
  it('extends the last request that was answered, and keeps the last round, when the view does not fit', async () => {
    const worked = await work({ window: 20_000, calls: 14 })
    const session = await begin(worked)
    worked.simulator.faults.add({ kind: 'too-long', source: 'compact' })
    const told = listen(session)
    expect(await say(session, 'Read all of it.')).toBe('done')
    expect(told.verdicts()[0]).toBe('shared taken')
    const edit = told.events.find((event) => event.type === 'edit')
    expect(edit?.edit.reason).toBe('summarised on the shared cache, all but the last round')
    const bodies = asked(worked).map(({ body, status }) => ({ status, isOpen: body.includes('still running') }))
    expect(bodies).toEqual([
      { status: 400, isOpen: false },
      { status: 200, isOpen: true },
    ])
  })

  it.each([
    [2, 'summarised by a plain call'],
    [3, 'summarised by a plain call, 1 rounds of the head cut'],
    [4, 'summarised by a plain call, 2 rounds of the head cut'],
    [5, 'summarised by a plain call, 3 rounds of the head cut'],
  ])('said %i times, is made of less each time', async (times, reason) => {
    const worked = await work({ calls: 8 })
    const session = await begin(worked)
    await say(session, 'Read it.')
    worked.simulator.faults.add({ kind: 'too-long', times, source: 'compact' })
    const outcome = await session.compact()
    expect(outcome.edit?.reason).toBe(reason)
    const plain = asked(worked).slice(2)
    const sizes = plain.map(({ body }) => body.length)
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
    expect(new Set(sizes).size).toBe(sizes.length)
    const cut = times - 2
    const last = wordsOf(plain.at(-1)?.body ?? '')
    expect(last[0]?.role).toBe('user')
    expect(JSON.stringify(last).match(/begun before this/g)?.length ?? 0).toBe(cut > 0 ? 1 : 0)
    await say(session, 'And now?')
    if (cut > 0) expect(lastRequest(worked)).toMatch(new RegExp(`${cut} of 9 rounds were too long to be read`))
    expect(lastRequest(worked)).toContain('Read it.')
    expect(worked.requests.at(-1)?.status).toBe(200)
  })

  it('is given up after three cuts, for the next rung', async () => {
    const worked = await work({ calls: 8 })
    const session = await begin(worked)
    await say(session, 'Read it.')
    worked.simulator.faults.add({ kind: 'too-long', times: 6, source: 'compact' })
    const told = listen(session)
    await session.compact()
    expect(told.verdicts()).toEqual(['shared failed', 'plain failed', 'digest taken'])
    expect(asked(worked)).toHaveLength(6)
  })

  it('is given up when nothing is left to cut', async () => {
    const worked = await work({ calls: 1 })
    const session = await begin(worked)
    await say(session, 'Read it.')
    worked.simulator.faults.add({ kind: 'too-long', times: 100, source: 'compact' })
    const told = listen(session)
    await session.compact()
    expect(told.verdicts().slice(0, 2)).toEqual(['shared failed', 'plain failed'])
    const reasons = told.events.flatMap((event) => (event.type === 'relief' ? [event.decision.reason] : []))
    expect(reasons[1]).toMatch(/Nothing is left/)
  })

  it('is made of less where it leaves no room to be written, and all that was tried is in what it cost', async () => {
    const noRoom = { content: [nine().slice(0, 90)], stop: 'model_context_window_exceeded' as const }
    const worked = await work({
      calls: 8,
      summary: (_turn, count) => (count === 1 ? 'No.' : count === 2 ? noRoom : nine()),
    })
    const session = await begin(worked)
    await say(session, 'Read it.')
    const told = listen(session)
    const outcome = await session.compact()
    expect(told.verdicts()).toEqual(['shared failed', 'plain taken'])
    expect(outcome.edit?.reason).toBe('summarised by a plain call, 2 rounds of the head cut')
    const { dollars, requests } = session.cost('compact')
    expect(requests).toBe(3)
    expect(outcome.edit?.receipt?.dollars.spent).toBeCloseTo(dollars, 10)
  })

  it('keeps the summary before it while rounds are cut', async () => {
    const worked = await work({ calls: 8, summary: (_turn, count) => nine({ 2: `Mark of summary ${count}.` }) })
    const session = await begin(worked)
    await say(session, 'Read it.')
    await session.compact()
    await say(session, 'Read on.')
    worked.simulator.faults.add({ kind: 'too-long', times: 4, source: 'compact' })
    await session.compact()
    const last = asked(worked).at(-1)?.body ?? ''
    expect(last).toContain('Mark of summary 1.')
    expect(last).not.toContain('src/file-8.ts')
  })

  it('covers the gap that the API names when its window is smaller than was thought', async () => {
    const worked = await work({
      model: 'small',
      window: 100_000,
      models: [{ id: 'small', like: 'claude-sonnet-4-6', window: 30_000 }],
      calls: 3,
      summary: (turn) => (turn.tools.length > 0 ? 'No.' : nine()),
    })
    const session = await begin(worked, { tools: [reading(1_700)] })
    const told = listen(session)
    expect(await say(session, 'Read it.')).toBe('done')
    expect(told.verdicts()).toEqual(['shared failed', 'plain taken'])
    const edit = told.events.find((event) => event.type === 'edit')
    expect(edit?.edit.reason).toBe('summarised by a plain call, 1 rounds of the head cut')
    expect(edit?.edit.receipt?.checks).toContainEqual(expect.objectContaining({ name: 'head', ok: false }))
    expect(lastRequest(worked)).toContain('Read it.')
  })
})
