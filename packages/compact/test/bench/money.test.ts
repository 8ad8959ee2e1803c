import { describe, expect, it } from 'vitest'
import { factsJob } from '../../bench/job/facts-job.mjs'
import { measureJob } from '../../bench/job/measure-job.mjs'
import { perfectSummary } from '../../bench/job/perfect-summary.mjs'
import { type Money, measureMoney } from '../../bench/measure-money.mjs'
import { moneyLimits } from '../../bench/money-limits.mjs'
import { dollarsOf, READ_SHARES } from '../../bench/prices.mjs'
import { replay } from '../../bench/replay.mjs'
import { seededSessions } from '../../bench/sessions/seeded.mjs'
import { strategy } from '../../bench/strategies.mjs'
import { holds, limitsTable } from '../../bench/table.mjs'

describe('a replay', () => {
  it('is played to its end, and costs the same by the account of the session and by that of the server', async () => {
    const [session] = seededSessions({ turns: 8 })
    if (!session) throw new Error('There are three.')
    const replayed = await replay(session, { share: 0.05, summarize: () => '' })
    expect(replayed).toMatchObject({ isWhole: true, why: '', cuts: [] })
    expect(replayed.dollars).toBeCloseTo(replayed.tokens.billed, 10)
    expect(dollarsOf(replayed.tokens, 0.05)).toBeCloseTo(replayed.dollars, 10)
  })

  it('says so when the session outgrows the window', async () => {
    const { session } = factsJob({ calls: 4 })
    const replayed = await replay(session, { share: 0.1, window: 20_000, summarize: () => '' })
    expect(replayed.isWhole).toBe(false)
    expect(replayed.why).toContain('too long')
  })

  it.each([2, 3])(
    'with batches of %i clears that many at once, and the results of the last calls stay',
    async (batch) => {
      const { session } = factsJob({ calls: 9, long: 4_000 })
      const { cuts } = await replay(session, { ...strategy(`batch-${batch}`), share: 0.1, summarize: () => '' })
      const edits = cuts.filter(({ edit }) => edit)
      expect(edits.map(({ edit }) => edit.length)).toEqual(Array(Math.floor(6 / batch)).fill(batch))
    },
    60_000,
  )
})

describe('the bench, in its quick form', () => {
  it('measures every strategy on every session at every price, and judges what it measured', async () => {
    const money = await measureMoney({ turns: 3, largestBatch: 1 })
    const strategies = ['nothing', 'every-chance', 'late', 'fidelity', 'balanced', 'economy']
    expect(money.cells).toHaveLength(3 * READ_SHARES.length * strategies.length)
    expect(money.cells.every(({ dollars }) => dollars !== undefined)).toBe(true)
    expect(money.batches).toHaveLength(3 * READ_SHARES.length)
    const limits = moneyLimits(money)
    expect(limits.at(-1)).toMatchObject({ name: 'the two accounts of a replay differ at most by' })
    expect(limits.at(-1)).toSatisfy(holds)
    expect(limitsTable(limits).split('\n')).toHaveLength(limits.length + 1)
  })

  it('finds a policy that costs too much, and one that did not come to its end', () => {
    const limits = moneyLimits(moneyOf({ nothing: 1, late: 0.9, balanced: 0.95, economy: 0.96 }))
    const over = limits.filter((limit) => !holds(limit)).map(({ name }) => name.split(':')[0])
    expect([...new Set(over)]).toEqual([
      'balanced to the best of the others',
      'of 3, balanced is below the best of the others in',
      'economy to balanced',
    ])
    const failed = moneyLimits(moneyOf({ nothing: 1, late: 0.9, balanced: undefined, economy: 0.8 }))
    expect(failed[0]).toMatchObject({ value: Number.POSITIVE_INFINITY })
    expect(failed[0]).not.toSatisfy(holds)
  })
})

describe('the job with facts', () => {
  it('hides one fact in each result, and asks for each by words that only it has', () => {
    const { session, facts } = factsJob({ calls: 20 })
    const results = [...session.results.values()].map(({ content }) => String(content))
    facts.forEach(({ line, question, answer }, index) => {
      expect(results.filter((text) => text.includes(line))).toEqual([results[index]])
      expect(facts.filter((other) => other.question === question || other.answer === answer)).toHaveLength(1)
    })
    expect(results.map(({ length }) => Math.round(length / 1_000))).toEqual(
      results.map((_, index) => (index % 10 === 9 ? 100 : 24)),
    )
  })

  it('has a summariser that returns what it is shown, and nothing else', () => {
    const { facts } = factsJob({ calls: 3 })
    const content = [{ type: 'text' as const, text: `It says: ${facts[1]?.line}` }]
    const turn = { purpose: 'compaction', messages: [{ role: 'user', content }], tools: [], system: [] }
    const text = perfectSummary(facts)(turn as unknown as Parameters<ReturnType<typeof perfectSummary>>[0])
    expect(facts.map(({ answer }) => text.includes(answer))).toEqual([false, true, false])
  })

  it('counts what is in view and what Recall brings back', async () => {
    const job = factsJob({ calls: 8, long: 6_000 })
    expect(await measureJob('late', { job })).toMatchObject({ isWhole: true, inView: 8, recalled: 8 })
    expect(await measureJob('every-chance', { job })).toMatchObject({ isWhole: true, inView: 3, recalled: 0 })
  })
})

/** One session at all prices, by what each strategy cost. */
function moneyOf(dollars: Readonly<Record<string, number | undefined>>): Money {
  const replayed = { dollars: 1, tokens: { billed: 1 } }
  const cells = READ_SHARES.flatMap((share) =>
    Object.entries(dollars).map(([name, sum]) => ({ session: 's', share, strategy: name, dollars: sum, replayed })),
  )
  return { sessions: ['s'], origin: 'recorded', cells, batches: [] }
}
