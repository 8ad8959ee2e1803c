import type { Round, Timer, View } from '@nacre/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { keepFrom } from '../src/notes-relief.js'
import { createGates } from './support/gates.js'
import { edit, type Script, startScripted, words } from './support/scripted.js'

/** Timers that fire when the test says so. */
function handTimer() {
  const set: { milliseconds: number; fire: () => void }[] = []
  const timer: Timer = (milliseconds, fire) => {
    const entry = { milliseconds, fire }
    set.push(entry)
    return () => {
      set.splice(set.indexOf(entry), 1)
    }
  }
  return { timer, set }
}

/** Answers with as many tokens as it is asked for. */
const main: Script['main'] = ({ messages }) => {
  const asked = /Say (\d+) words/.exec(JSON.stringify(messages.at(-1)))?.[1]
  return words(Number(asked ?? 10))
}

/** Long enough to learn from how many tokens there are in words. */
const say = (tokens: number) => `Say ${tokens} words. ${'Please. '.repeat(100)}`

/** So many answers of so many tokens, with all updates come to their end. */
async function talk({ ask, idle }: Awaited<ReturnType<typeof startScripted>>, times: number, tokens: number) {
  for (let number = 0; number < times; number++) {
    await ask(say(tokens))
    await idle()
  }
}

const SMALL: Script = { main, window: 60_000 }

it('folds by hand without instructions, and leaves it to others with them', async () => {
  const started = await startScripted({ main })
  await talk(started, 6, 6_000)
  const { session } = started
  expect(await session.compact({ instructions: 'Keep the numbers.' })).toEqual({
    refused: 'There is nothing to compact.',
  })
  const dry = await session.compact({ dryRun: true })
  expect(dry).toMatchObject({ receipt: { rung: 'notes', trigger: 'manual' } })
  const outcome = await session.compact()
  expect(outcome).toMatchObject({ receipt: { rung: 'notes', dollars: { spent: 0 } } })
  expect(JSON.stringify(session.view().rounds[0]?.content)).toContain('At work')
})

it('keeps what is not covered, and at least 10,000 tokens and five messages with text', async () => {
  const started = await startScripted({ main })
  await talk(started, 8, 6_000)
  const { session } = started
  await session.compact()
  const [fold, ...kept] = session.view().rounds
  expect(fold?.content).toBeDefined()
  // The last round is not covered whole; two more bring 18,000 tokens, and three rounds six messages.
  expect(kept.flatMap(({ entries }) => entries)).toHaveLength(6)
  expect(kept.reduce((sum, { tokens }) => sum + tokens, 0)).toBeGreaterThan(10_000)
  await talk(started, 12, 200)
  expect(session.view().rounds.flatMap(({ entries }) => entries).length).toBeGreaterThan(24)
})

it('never keeps more than 40,000 tokens for the sake of five messages', async () => {
  const started = await startScripted({ main })
  await talk(started, 4, 25_000)
  await started.session.compact()
  const [fold, ...kept] = started.session.view().rounds
  expect(fold?.content).toBeDefined()
  expect(kept.flatMap(({ entries }) => entries)).toHaveLength(2)
})

it('offers nothing when what is not covered is more than may stay, and says so once', async () => {
  const started = await startScripted({
    main,
    notes: (_request, number) => (number === 0 ? edit({ section: 'Learnings', text: 'Rain.' }) : 'No.'),
  })
  await talk(started, 1, 11_000)
  await talk(started, 2, 6_000)
  expect(await started.session.compact({ dryRun: true })).toMatchObject({ refused: expect.any(String) })
  await talk(started, 5, 9_000)
  const outcome = await started.session.compact()
  expect(outcome).toEqual({ refused: 'There is nothing to compact.' })
  await started.session.compact()
  const told = started.notices.filter(({ text }) => text.startsWith('The notes cover'))
  expect(told.map(({ text }) => text)).toEqual([
    expect.stringMatching(
      /^The notes cover up to turn 0; the [\d,]+ tokens behind it are more than the 40,000 that may stay/,
    ),
  ])
})

it('offers nothing without notes', async () => {
  const started = await startScripted({ main, memory: { growth: 1_000_000 }, notes: () => 'No.' })
  await talk(started, 4, 9_000)
  expect(await started.session.compact()).toEqual({ refused: 'There is nothing to compact.' })
})

it('waits for a running update and the one behind it, and takes what they have written', async () => {
  const { gate, next, open } = createGates()
  const { session, ask, idle } = await startScripted({ main, gate })
  await ask(say(11_000))
  ;(await next())()
  await idle()
  await ask(say(6_000))
  const second = await next()
  for (let number = 0; number < 2; number++) await ask(say(6_000))
  // What the first update has covered is nothing that could be folded.
  expect(session.view().state('session-memory', 'coverage')).toMatchObject({ turn: 0 })
  const compacting = session.compact()
  second()
  open()
  expect(await compacting).toMatchObject({ receipt: { checks: [{ detail: 'covers up to turn 3' }] } })
})

it('waits no longer than 15 seconds, and not at all for one that is older than 60', async () => {
  const { gate, next, open } = createGates()
  const { timer, set } = handTimer()
  let now = 1_000
  const options = { details: { effects: { now: () => now } } }
  const started = await startScripted({ main, gate, memory: { timer }, options })
  const { session, ask, idle } = started
  for (let number = 0; number < 2; number++) await ask(say(6_000))
  ;(await next())()
  await idle()
  for (let number = 0; number < 3; number++) await ask(say(6_000))
  const second = await next()
  const waiting = session.compact()
  // The limit of the update itself is the other one.
  await expect.poll(() => set.map(({ milliseconds }) => milliseconds)).toContain(15_000)
  set.find(({ milliseconds }) => milliseconds === 15_000)?.fire()
  // The notes of the first update still cover what they cover.
  const outcome = await waiting
  expect(outcome).toMatchObject({ receipt: { rung: 'notes', checks: [{ detail: 'covers up to turn 1' }] } })
  await session.undo()
  now += 60_000
  expect(await session.compact()).toMatchObject({ receipt: { checks: [{ detail: 'covers up to turn 1' }] } })
  second()
  open()
  await idle()
})

it('gives an update up that does not end', async () => {
  const { gate, next } = createGates()
  const { timer, set } = handTimer()
  const { ask, idle, notices } = await startScripted({ main, gate, memory: { timer } })
  await ask(say(11_000))
  await next()
  expect(set.map(({ milliseconds }) => milliseconds)).toEqual([300_000])
  set[0]?.fire()
  await idle()
  expect(notices.map(({ text }) => text)).toEqual([expect.stringContaining('took too long')])
})

it('cuts sections that are too large, and says where the rest is', async () => {
  const started = await startScripted({
    main,
    notes: () => edit({ section: 'Current State', text: 'At work.' }, { section: 'Worklog', text: words(5_000) }),
  })
  await talk(started, 6, 6_000)
  await started.session.compact()
  const content = started.session.view().rounds[0]?.content ?? []
  const text = String(content[1]?.text)
  expect(text).toContain('# Current State\nAt work.')
  expect(text).toContain(`[cut here; the whole section is in ${started.path}]`)
  expect(text.length).toBeLessThan(words(2_300).length)
})

it('stops updates and offers at once when it is switched off in mid-session', async () => {
  const { gate, next } = createGates()
  let isOn = true
  const live = { read: (name: string) => (name === 'session-memory' ? isOn : undefined) }
  const started = await startScripted({ main, gate, options: { details: { flagSources: { live } } } })
  const { session, ask, idle, updates, file } = started
  await ask(say(11_000))
  ;(await next())()
  await idle()
  const before = file()
  for (let number = 0; number < 3; number++) await ask(say(6_000))
  const open = await next()
  isOn = false
  open()
  await idle()
  expect(file()).toBe(before)
  expect(await session.compact()).toEqual({ refused: 'There is nothing to compact.' })
  const asked = updates().length
  const events = await ask(say(9_000))
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'done' })
  await idle()
  expect(updates()).toHaveLength(asked)
  isOn = true
  await ask(say(9_000))
  ;(await next())()
  await idle()
  expect(file()).not.toBe(before)
})

it.each(['updates', 'relief'] as const)('has a flag for its %s alone', async (part) => {
  let isOn = true
  const live = { read: (name: string) => (name === `session-memory.${part}` ? isOn : undefined) }
  const started = await startScripted({ ...SMALL, options: { details: { flagSources: { live } } } })
  await talk(started, 3, 4_000)
  const before = started.updates().length
  expect(before).toBeGreaterThan(0)
  isOn = false
  await talk(started, 1, 4_000)
  expect(started.updates().length > before).toBe(part === 'relief')
  const outcome = await started.session.compact()
  expect('receipt' in outcome).toBe(part === 'updates')
})

interface Shape {
  readonly tokens: number
  readonly texts: number
  readonly isFolded: boolean
}

function viewOf(shapes: readonly Shape[]): View {
  const rounds = shapes.map(({ tokens, texts, isFolded }, number): Round => {
    const span = { from: `${number}`, to: `${number}` }
    if (isFolded) return { span, tokens, entries: [], content: [{ type: 'text', text: 'folded' }] }
    const content = [{ type: 'text', text: 'words' }]
    return {
      span,
      tokens,
      entries: Array.from({ length: texts }, (_, id) => ({ kind: 'user', id: `${id}`, time: 0, content })),
    }
  })
  return { rounds } as unknown as View
}

const shape = fc.record({
  tokens: fc.oneof(fc.nat(3_000), fc.nat(30_000)),
  texts: fc.nat(3),
  isFolded: fc.nat(9).map((chance) => chance === 0),
})

it('keeps all that is not covered and what fits before it, never across a fold and never too much', () => {
  fc.assert(
    fc.property(fc.array(shape, { minLength: 1, maxLength: 20 }), fc.nat(20), (shapes, place) => {
      const round = Math.min(place, shapes.length)
      const sum = (from: number, to?: number) => shapes.slice(from, to).reduce((all, { tokens }) => all + tokens, 0)
      const start = keepFrom(viewOf(shapes), { round, entry: 0 }, 1)
      if (start === undefined) {
        expect(sum(round)).toBeGreaterThan(40_000)
        return
      }
      expect(start).toBeLessThanOrEqual(round)
      expect(sum(start)).toBeLessThanOrEqual(40_000)
      expect(shapes.slice(start, round).some(({ isFolded }) => isFolded)).toBe(false)
      const messages = shapes.slice(start).reduce((all, { texts, isFolded }) => all + (isFolded ? 0 : texts), 0)
      const before = shapes[start - 1]
      const isEnough = sum(start) >= 10_000 && messages >= 5
      // It stops short of enough only at the start, at a fold, or where one more would be too much.
      expect(isEnough || !before || before.isFolded || sum(start - 1) > 40_000).toBe(true)
      if (start === round) return
      const fewer = shapes.slice(start + 1).reduce((all, { texts, isFolded }) => all + (isFolded ? 0 : texts), 0)
      expect(sum(start + 1) < 10_000 || fewer < 5).toBe(true)
    }),
    { seed: 4, numRuns: 1_000 },
  )
})
