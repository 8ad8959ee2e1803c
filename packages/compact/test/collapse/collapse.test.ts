import { definePlugin, type Session } from '@nacre/core'
import type { ModelTurn } from '@nacre/simulator'
import { describe, expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { eventsOf } from '../support/start-session.js'
import {
  besides,
  COLLAPSE,
  type Collapsing,
  collapsing,
  foldsOf,
  records,
  textOfFold,
  until,
  working,
} from './collapsing.js'

/** Nine tenths of the effective window of 20,000 tokens. */
const MARK = 16_200

/** Asks until something holds; what goes on in the background comes to its end in between. */
async function askUntil(
  all: Collapsing,
  holds: () => boolean,
  session: Session = all.session,
  first = 1,
): Promise<number> {
  for (let turn = first; turn <= first + 60; turn++) {
    await eventsOf(session.query(`Prompt ${turn}:  keep\n  this`))
    await settled(all)
    if (holds()) return turn
  }
  throw new Error('It never came to hold.')
}

const settled = async ({ requests, events }: Collapsing) => {
  // A fork is over when its usage was told; what it wrote is in the log some ticks later.
  const answered = () => besides({ requests }).filter(({ status }) => status === 200).length
  await until(() => answered() <= events.filter(isForkUsage).length)
  for (let tick = 0; tick < 20; tick++) await new Promise((resolve) => setImmediate(resolve))
}

const isForkUsage = (event: Collapsing['events'][number]) => event.type === 'usage' && event.source === 'compact'

const promptsIn = (body: string) => [...body.matchAll(/begins: > (Prompt \d+)/g)].map(([, name]) => name)

describe('collapse', { timeout: 20_000 }, () => {
  it('folds finished spans one by one, the oldest first, from nine tenths of the effective window on', async () => {
    const all = await collapsing(working())
    const turns = await askUntil(all, () => foldsOf(all).length > 0)
    const folds = foldsOf(all)
    expect(folds.length).toBeGreaterThan(2)
    expect(folds[0]?.receipt?.tokens.before).toBeGreaterThanOrEqual(MARK)
    expect(folds.map(textOfFold).map((text) => /Prompt (\d+)/.exec(text)?.[1])).toEqual(
      folds.map((_, index) => String(index + 1)),
    )
    expect(folds.every((fold) => textOfFold(fold).includes('Record of part'))).toBe(true)
    expect(folds.map(({ receipt }) => receipt?.rung)).toEqual(folds.map(() => 'notes'))
    expect(all.session.view().tokens.total).toBeLessThan(13_000)
    await all.ask('And now?')
    const sent = JSON.parse(all.requests.findLast(({ source }) => source === 'main')?.body ?? '{}')
    const shown = JSON.stringify(sent.messages)
    for (let turn = 1; turn <= turns; turn++) expect(shown).toContain(`Prompt ${turn}:  keep\\n  this`)
    expect(all.requests.every(({ status }) => status === 200)).toBe(true)
  })

  it('asks beside the conversation on its cache, once for each span, and pays as compact', async () => {
    const all = await collapsing(working())
    await askUntil(all, () => foldsOf(all).length > 8)
    const asked = besides(all).flatMap(({ body }) => promptsIn(body))
    expect(asked.length).toBeGreaterThan(8)
    expect(new Set(asked).size).toBe(asked.length)
    const usages = all.events.flatMap((event) => (event.type === 'usage' ? [event] : []))
    const first = usages.findIndex(({ source }) => source === 'compact')
    const before = usages.slice(0, first).findLast(({ source }) => source === 'main')?.usage
    const sent = (before?.input ?? 0) + (before?.cacheRead ?? 0) + (before?.cacheWrite5m ?? 0)
    expect(usages[first]?.usage.cacheRead).toBeGreaterThanOrEqual(sent)
    expect(usages[first]?.usage.cacheWrite5m).toBe(0)
    expect(all.session.cost('compact').requests).toBe(besides(all).length)
  })

  it('starts nothing anew and brings nothing back, and keeps the last prompt as it is', async () => {
    const started: string[] = []
    const watching = definePlugin({
      name: 'watching',
      setup: () => ({
        hooks: { SessionStart: ({ source }) => void started.push(source) },
        restorers: [{ name: 'files', restore: () => [{ what: 'a.ts', text: 'const a', status: 'reference' }] }],
      }),
    })
    const all = await collapsing(working(), { session: { plugins: [compact(), watching] } })
    await askUntil(all, () => foldsOf(all).length > 0)
    expect(started).toEqual(['startup'])
    expect(foldsOf(all).every(({ receipt, changes }) => receipt?.restored.length === 0 && changes.length === 1)).toBe(
      true,
    )
  })

  it('cuts a very long turn into runs of rounds and never folds its prompt', async () => {
    const all = await collapsing(working({ calls: 60 }))
    const prompt = 'Do it  all,\n\tto the end'
    const events = await all.ask(prompt)
    expect(events.at(-1)).toMatchObject({ reason: 'done' })
    expect(foldsOf(all).length).toBeGreaterThan(3)
    const [first] = all.session.view().rounds
    expect(first?.entries[0]?.content).toEqual([{ type: 'text', text: prompt }])
    expect(all.requests.every(({ status }) => status === 200)).toBe(true)
  })

  it('joins old folds with new ones when they fill the view, so that it does not fold at every turn', async () => {
    const all = await collapsing(working({ calls: 150 }), { resultTokens: 1_000 })
    expect((await all.ask('Go on for long')).at(-1)).toMatchObject({ reason: 'done' })
    const joined = foldsOf(all).filter(({ receipt }) => (receipt?.messages.folded ?? 0) > 20)
    expect(joined.length).toBeGreaterThan(0)
    expect(all.session.view().tokens.total).toBeLessThan(all.session.view().tokens.threshold)
    expect(all.notices.flatMap(({ level, text }) => (level === 'info' ? [] : [text]))).toEqual([])
  })

  it('can be taken back, and leaves alone what was', async () => {
    const all = await collapsing(working())
    await askUntil(all, () => foldsOf(all).length > 0)
    const folds = foldsOf(all)
    const [oldest] = folds
    await all.session.undo({ edit: oldest?.id as string })
    const [first] = all.session.view().rounds
    expect(first?.content).toBeUndefined()
    await askUntil(all, () => foldsOf(all).length > folds.length)
    expect(all.session.view().rounds[0]).toEqual(first)
  })

  it('leaves a compaction by hand to the others', async () => {
    const all = await collapsing(working())
    await askUntil(all, () => all.session.view().tokens.total > 5_000)
    const outcome = await all.session.compact()
    expect(outcome.edit?.receipt?.rung).toMatch(/^(summary|digest)$/)
  })

  it('works with thinking that is bound to its prefix', async () => {
    const answers = working()
    const all = await collapsing(
      async (turn) => {
        const given = await answers(turn)
        return turn.source === 'main' ? [{ type: 'thinking', thinking: 'Hm.' }, ...(given as string[])] : given
      },
      { model: 'claude-opus-5-5' },
    )
    await askUntil(all, () => foldsOf(all).length > 0)
    expect((await all.ask('Go on')).at(-1)).toMatchObject({ reason: 'done' })
    expect(all.requests.every(({ status }) => status === 200)).toBe(true)
  })
})

describe('a record is taken whatever its form', { timeout: 20_000 }, () => {
  const told = 'The command was run with make, and its output had the same word again and again.'
  it.each([
    ['other attributes', (number: string) => `<PART no=${number}>${told}</PART>`],
    ['a tag that is not closed', (number: string) => `<part number="${number}">${told}`],
    ['headings', (number: string) => `**Part ${number}:** ${told}`],
  ])('%s', async (_name, form) => {
    const beside = (turn: ModelTurn) =>
      [...JSON.stringify(turn.messages.at(-1)?.content).matchAll(/Part (\d+) \(/g)]
        .map(([, number = '']) => form(number))
        .join('\n')
    const all = await collapsing(working({ beside }))
    await askUntil(all, () => foldsOf(all).length > 0)
    expect(textOfFold(foldsOf(all)[0] as ReturnType<typeof foldsOf>[number])).toContain(told)
  })
})

describe('without a summary in time', { timeout: 20_000 }, () => {
  it.each([
    ['a call in place of text', () => [{ type: 'tool_use' as const, name: 'Run', input: { command: 'x' } }]],
    ['an empty record', () => '<part number="1"> </part>'],
    ['no record at all', () => 'I am sorry, I can not do that.'],
    ['a record that is too long', () => `<part number="1">${'long '.repeat(3_000)}</part>`],
  ])('a record of the work stands in: %s', async (_name, beside) => {
    const all = await collapsing(working({ beside }))
    await askUntil(all, () => foldsOf(all).length > 0)
    const text = textOfFold(foldsOf(all)[0] as ReturnType<typeof foldsOf>[number])
    expect(text).toContain('- make 1 → ok')
    expect(text).toContain('Finished by step 2.')
    const asked = besides(all).flatMap(({ body }) => promptsIn(body))
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('also where the server fails', async () => {
    const all = await collapsing(working())
    all.simulator.faults.add({ kind: 'internal', source: 'compact', times: 1_000 })
    await askUntil(all, () => foldsOf(all).length > 0)
    expect(textOfFold(foldsOf(all)[0] as ReturnType<typeof foldsOf>[number])).toContain('- make 1 → ok')
  })

  it('one fold makes room at once where results take the view above its threshold', async () => {
    const all = await collapsing(working({ calls: 3 }), { resultTokens: 3_400 })
    for (let turn = 0; turn < 4; turn++) expect((await all.ask(`Prompt ${turn}`)).at(-1)).toMatchObject({ type: 'end' })
    const decisions = all.events.flatMap((event) => (event.type === 'relief' ? [event.decision] : []))
    expect(decisions).toContainEqual(expect.objectContaining({ verdict: 'taken', name: 'collapse', pressure: 'high' }))
    expect(foldsOf(all).every(({ receipt }) => receipt?.rung === 'notes')).toBe(true)
    expect(all.requests.every(({ status }) => status === 200)).toBe(true)
  })

  it('drains first when the API says that it is too long', async () => {
    const all = await collapsing(working({ calls: 3 }))
    for (let turn = 0; turn < 4; turn++) await all.ask(`Prompt ${turn}`)
    all.simulator.faults.add({ kind: 'too-long', source: 'main', times: 1 })
    expect((await all.ask('And now?')).at(-1)).toMatchObject({ reason: 'done' })
    expect(foldsOf(all)).toHaveLength(1)
    expect(foldsOf(all)[0]?.receipt).toMatchObject({ trigger: 'overflow', rung: 'notes' })
  })
})

describe('the background work', { timeout: 20_000 }, () => {
  it('does not hold up a turn, and stops with the session', async () => {
    let stopped = 0
    const never = ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener('abort', () => {
          stopped += 1
          reject(signal.reason)
        })
      })
    const all = await collapsing(working({ beside: never }))
    let asked = 0
    while (all.session.view().tokens.total < 13_000) {
      expect((await all.ask(`Prompt ${asked++}`)).at(-1)).toMatchObject({ reason: 'done' })
    }
    await all.session.close()
    await until(() => stopped === 1)
  })

  it('survives a resume: what was summarised is not asked for again', async () => {
    const all = await collapsing(working())
    await askUntil(all, () => besides(all).length > 0)
    const before = besides(all).flatMap(({ body }) => promptsIn(body))
    await all.session.close()
    const resumed = await all.start({ open: { resume: all.session.id } })
    await askUntil(all, () => foldsOf(all).length > 0, resumed, 101)
    const after = besides(all)
      .slice(1)
      .flatMap(({ body }) => promptsIn(body))
    expect(before.filter((prompt) => after.includes(prompt))).toEqual([])
    expect(textOfFold(foldsOf(all)[0] as ReturnType<typeof foldsOf>[number])).toContain('Record of part 1')
  })

  it('leaves nothing behind once the flag is off', async () => {
    let isOn = true
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const live = { read: (name: string) => (name === 'compact.collapse' ? isOn : undefined) }
    const beside = async (turn: Parameters<typeof records>[0]) => {
      await held
      return records(turn)
    }
    const all = await collapsing(working({ beside }), { session: { details: { flagSources: { live } } } })
    let asked = 0
    while (all.session.view().tokens.total < 11_000) await all.ask(`Prompt ${asked++}`)
    isOn = false
    release()
    await until(() => all.events.some(isForkUsage))
    for (let turn = 0; turn < 5; turn++)
      expect((await all.ask(`More ${turn}`)).at(-1)).toMatchObject({ reason: 'done' })
    expect(besides(all)).toHaveLength(1)
    expect(foldsOf(all).filter(({ reason }) => reason.startsWith('collapse'))).toEqual([])
    const [first] = all.session.view().rounds
    expect(all.session.view().state('compact', `collapse/${first?.span.from}`)).toBeUndefined()
  })

  it('is not there without its flag', async () => {
    const all = await collapsing(working(), { session: { flags: { ...COLLAPSE, 'compact.collapse': false } } })
    let asked = 0
    while (all.session.view().tokens.total < 12_000) await all.ask(`Prompt ${asked++}`)
    expect(besides(all)).toEqual([])
  })
})
