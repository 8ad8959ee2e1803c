import type { Edit } from '@nacre/core'
import { expect, it } from 'vitest'
import { resultsIn, workSession } from './work-session.js'

const TEXT = 'The work goes on from page to page. '.repeat(300)
const isCleared = (text: string) => text.startsWith('[Cleared: ')

it('reads everything up to the standing mark in the request after a cut, however many blocks lie behind it', async () => {
  const work = await workSession({
    calls: 60,
    model: 'claude-fable-5-1',
    window: 900_000,
    result: (number) => `${number}: ${TEXT.slice(0, 4_000)}`,
    say: (number) => `Now part ${number}.`,
  })
  const reads: number[] = []
  work.simulator.observe(({ entry }) => reads.push(entry.read))
  const cuts: number[] = []
  work.session.events.on('edit', () => cuts.push(reads.length))
  await work.run()
  expect(cuts.length).toBeGreaterThan(2)
  for (const [index, cut] of cuts.slice(1).entries()) {
    // What the cut before it left is read again: its lines, calls and words.
    const [before, now] = [reads[cuts[index] as number] as number, reads[cut] as number]
    expect(now - before).toBeGreaterThan(1_000)
    expect(reads[cut + 1]).toBeGreaterThan(now + 2_000)
  }
})

it('tells every decision with all its figures, also a no', async () => {
  const work = await workSession({ calls: 12, window: 400_000, result: () => TEXT })
  const decisions: object[] = []
  work.session.events.on('relief', ({ decision }) => decisions.push(decision))
  await work.run()
  expect(decisions.length).toBeGreaterThan(8)
  const number = expect.any(Number)
  for (const decision of decisions) {
    expect(decision).toMatchObject({
      verdict: expect.stringMatching(/^(taken|declined)$/),
      owner: 'compact',
      name: 'clear',
      rung: 'clear',
      pressure: 'idle',
      figures: {
        readPrice: 0.3,
        writePrice: 3.75,
        isCold: false,
        rewritten: number,
        once: number,
        tokensPerTurn: number,
        frees: number,
        held: number,
        turnsExpected: number,
        bestTurns: number,
        bestBatch: number,
        costs: number,
        spared: number,
        waited: number,
        saves: number,
      },
    })
  }
})

it('says what an offer frees as the view then measures it', async () => {
  const work = await workSession({ calls: 12, window: 400_000, result: () => TEXT })
  const claimed: number[] = []
  const measured: number[] = []
  let before = 0
  work.session.events.on('relief', ({ decision }) => {
    if (decision.verdict === 'taken') claimed.push(decision.figures?.frees ?? 0)
    else before = work.session.view().tokens.total
  })
  work.session.events.on('edit', () => measured.push(before - work.session.view().tokens.total))
  await work.run()
  expect(claimed.length).toBeGreaterThan(0)
  // One more result has come since the measure before.
  for (const [index, tokens] of claimed.entries()) {
    const one = tokens / 7
    expect(Math.abs(tokens - ((measured[index] ?? 0) + one))).toBeLessThan(tokens * 0.1)
  }
})

it('clears by size above the threshold: the oldest first, the last three stay, and no more than it takes', async () => {
  const work = await workSession({
    calls: 45,
    window: 60_000,
    options: { policy: 'fidelity' },
    result: (number) => `${number}: ${TEXT.slice(0, 8_000)}`,
    session: { flags: { 'compact.summary': false, 'compact.digest': false } },
  })
  const before: string[][] = []
  const freed: number[] = []
  work.session.events.on('edit', ({ edit }) => {
    before.push(resultsIn(work.requests.at(-1)?.body ?? ''))
    freed.push(edit.price.freed)
  })
  const events = await work.run()
  expect(events.at(-1)).toMatchObject({ reason: 'done' })
  expect(work.requests.every(({ status }) => status === 200)).toBe(true)
  expect(before.length).toBeGreaterThan(1)
  // 20,000 of a window of 200,000 are 6,000 of this one.
  for (const tokens of freed) expect(tokens).toBeGreaterThanOrEqual(5_500)
  const last = resultsIn(work.requests.at(-1)?.body ?? '')
  const kinds = last.map(isCleared)
  expect(kinds.lastIndexOf(true)).toBeLessThan(kinds.indexOf(false))
  expect(kinds.filter((each) => !each).length).toBeGreaterThanOrEqual(3)
})

it('leaves room to a fold above the threshold where clearing would free little, and come again soon', async () => {
  const work = await workSession({
    calls: 60,
    window: 60_000,
    options: { policy: 'fidelity' },
    result: (number) => `${number}: ${TEXT.slice(0, 1_500)}`,
    say: (number) => `Part ${number}. ${TEXT.slice(0, 9_000)}`,
  })
  const edits: Edit[] = []
  work.session.events.on('edit', ({ edit }) => edits.push(edit))
  const events = await work.run()
  expect(events.at(-1)).toMatchObject({ reason: 'done' })
  expect(edits.filter(({ receipt }) => receipt).length).toBeGreaterThan(0)
  for (const { price } of edits) expect(price.freed).toBeGreaterThanOrEqual(5_500)
})
