import type { Edit } from '@nacre/core'
import { describe, expect, it, vi } from 'vitest'
import { logEntries } from '../../src/slash/find-entry.js'
import { figuresIn } from './support/figures-in.js'
import { makeFolders } from './support/make-folders.js'
import { MODEL, OTHER_MODEL, openForTest, type TestSession } from './support/open-for-test.js'

type Told = Pick<TestSession, 'run' | 'simulator'>

/** What a command says, once its figures are those of the ledger; notes may still be under way when it is asked. */
function agreeing(check: () => Promise<string>): Promise<string> {
  return vi.waitFor(check, { timeout: 20_000, interval: 10 })
}

function checkedCost({ run, simulator: { ledger } }: Told): Promise<string> {
  return agreeing(async () => {
    const { text } = await run('/cost', { width: 120 })
    const rows = figuresIn(text, 'source')
    for (const source of [...ledger.sources(), undefined]) {
      const { input, read, write5m, output, dollars } = ledger.totals(source)
      const row = rows.get(source ?? 'total')
      expect(row).toMatchObject({ read, 'write 5m': write5m, output })
      expect(row?.input ?? 0).toBe(input)
      expect(row?.dollars).toBeCloseTo(dollars, 4)
    }
    expect([...rows.keys()].sort()).toEqual([...ledger.sources(), 'total'].sort())
    expect(text).toContain(`$${ledger.totals().dollars.toFixed(4)} for`)
    return text
  })
}

function checkedCache({ run, simulator: { ledger } }: Told): Promise<string> {
  return agreeing(async () => {
    const { text } = await run('/cache')
    const rows = figuresIn(text, 'source')
    for (const source of [...ledger.sources(), undefined]) {
      const { hitRate, read, write5m, write1h, input } = ledger.totals(source)
      const row = rows.get(source ?? 'total')
      expect(row).toMatchObject({ read, written: write5m + write1h, neither: input })
      expect(row?.['hit rate']).toBeCloseTo(hitRate * 100, 1)
    }
    return text
  })
}

describe('/cost', () => {
  it('agrees with the ledger of the server to the token and the cent, by source and by model', async () => {
    const { ask, run, simulator, requests, opened } = await openForTest(makeFolders())
    expect((await run('/cost')).text).toBe('Nothing has been spent yet.')
    await ask('Read 8 files, please.')
    expect((await run('/flags session-memory off')).isError).toBeUndefined()
    expect((await run('/compact Keep the names.')).text).toContain('with a summary')
    await run(`/model ${OTHER_MODEL}`)
    await ask('Read 2 files, please.')

    const text = await checkedCost({ run, simulator })
    expect(simulator.ledger.sources()).toEqual(expect.arrayContaining(['main', 'session_memory', 'compact']))
    for (const source of simulator.ledger.sources()) {
      expect(opened.session.cost(source).dollars).toBeCloseTo(simulator.ledger.totals(source).dollars, 10)
    }

    const byModel = figuresIn(text, 'model')
    expect([...byModel.keys()]).toEqual([MODEL, OTHER_MODEL, 'total'])
    for (const model of [MODEL, OTHER_MODEL]) {
      const billed = requests.filter((entry) => entry.model === model)
      const sum = (key: 'input' | 'read' | 'write5m' | 'output' | 'dollars') =>
        billed.reduce((total, entry) => total + entry[key], 0)
      expect(byModel.get(model)).toMatchObject({
        calls: billed.length,
        input: sum('input'),
        read: sum('read'),
        'write 5m': sum('write5m'),
        output: sum('output'),
      })
      expect(byModel.get(model)?.dollars).toBeCloseTo(sum('dollars'), 4)
    }
  })

  it('has what was billed after a compaction, an undo, another model, failed requests and resumes', async () => {
    const folders = makeFolders()
    const first = await openForTest(folders)
    const { simulator, opened } = first
    await first.ask('Read 8 files, please.')
    await first.run('/compact dry')
    await checkedCost(first)
    await first.run('/compact use')
    await first.run('/undo')
    await first.run(`/model ${OTHER_MODEL}`)
    simulator.faults.add({ kind: 'overloaded', times: 1 })
    await first.ask('Read 2 files, please.')
    await checkedCost(first)
    await checkedCache(first)
    await first.opened.close()
    for (const prompt of ['Read 3 files, please.', 'Thank you.']) {
      const next = await openForTest(folders, { open: { resume: opened.session.id }, simulator })
      await checkedCost(next)
      await checkedCache(next)
      await next.ask(prompt)
      await checkedCost(next)
      await checkedCache(next)
      await next.opened.close()
    }
  })
})

describe('an answer that is interrupted or breaks off', () => {
  it.each(['stall', 'cut'] as const)('is in /cost with all its input, as it was billed: %s', async (kind) => {
    const { ask, run, simulator, opened } = await openForTest(makeFolders(), { flags: { 'session-memory': false } })
    const { ledger } = simulator
    await ask('Read 1 files, please.')
    const before = ledger.totals()
    simulator.faults.add({ kind, amount: 6 })
    const stop = new AbortController()
    for await (const event of opened.session.query('Thank you.', { signal: stop.signal })) {
      if (event.type === 'delta' && kind === 'stall') stop.abort()
    }
    await agreeing(async () => {
      const { text } = await run('/cost')
      const { read, write5m, output } = ledger.totals()
      const { requests } = before
      expect(ledger.totals().requests).toBe(kind === 'stall' ? requests + 1 : requests + 2)
      expect(figuresIn(text, 'source').get('main')).toMatchObject({ read, 'write 5m': write5m })
      // How much of an answer was made when it broke off, nobody tells.
      expect(figuresIn(text, 'source').get('main')?.output).toBeLessThanOrEqual(output)
      return text
    })
  })
})

describe('/cache', () => {
  it('agrees with the ledger of the server', async () => {
    const session = await openForTest(makeFolders())
    await session.ask('Read 8 files, please.')
    expect(await checkedCache(session)).toContain('No breaks')
    expect(session.simulator.ledger.sources()).toContain('session_memory')
  })

  it('tells how long the cache is kept', async () => {
    // Notes would be written at a time that nobody knows.
    const { ask, run, pass } = await openForTest(makeFolders(), { flags: { 'session-memory': false } })
    expect((await run('/cache')).text).toMatch(/^Nothing has been sent yet\. What is sent is kept for 5 minutes\./)
    await ask('Read 1 files, please.')
    pass(61_000)
    const { text } = await run('/cache')
    expect(text).toContain('3 min 59 s are left')
    expect(text).toContain('No breaks')
    pass(300_000)
    expect((await run('/cache')).text).toContain('that has passed')
  })

  it('tells breaks with block, plugin and dollars, as the ledger has them', async () => {
    const { ask, run, requests, pass, opened } = await openForTest(makeFolders(), {
      flags: { 'session-memory': false },
    })
    await ask('Read 5 files, please.')
    const [, second] = opened.session.view().rounds
    await run(`/snip ${second?.span.from ?? ''}`)
    await ask('Thank you.')
    pass(400_000)
    await ask('Read 1 files, please.')

    const { text } = await run('/cache', { width: 200 })
    const main = requests.filter(({ source }) => source === 'main')
    const broken = main.filter(({ read }, index) => {
      const before = main[index - 1]
      return before !== undefined && before.read + before.write5m - read > 2_000
    })
    const number = (figure: string | undefined) => Number(figure?.replace(/,/g, ''))
    const found = [...text.matchAll(/^\d+\. (\S+), by (\S+): ([\d,]+) tokens, \$([\d.]+)$/gm)]
    const sizes = [...text.matchAll(/read ([\d,]+) of ([\d,]+) that were cached$/gm)]
    expect(found.map(([, , owner]) => owner)).toEqual(['compact', 'core'])
    expect(found[0]?.[1]).toMatch(/^messages\.\d+\.content\.\d+$/)
    expect(sizes.map(([, read]) => number(read))).toEqual(broken.map(({ read }) => read))
    expect(found.map(([, , , tokens]) => number(tokens))).toEqual(
      sizes.map(([, read, all]) => number(all) - number(read)),
    )
    const prices = opened.model.price(0)
    for (const [, , , tokens, dollars] of found) {
      expect(Number(dollars)).toBeCloseTo((number(tokens) * (prices.write5m - prices.read)) / 1e6, 4)
    }
    // All that was cached had to be written again: the ledger has it as written.
    const [, expired] = broken
    expect(number(found[1]?.[3])).toBeGreaterThan(10_000)
    expect(expired?.write5m).toBeGreaterThan(number(found[1]?.[3]))
    expect(text).toContain('expired')
  })
})

describe('/receipt', () => {
  it('agrees with the ledger, with /context before it and with /undo', async () => {
    const { ask, run, simulator, opened } = await openForTest(makeFolders(), { flags: { 'session-memory': false } })
    expect((await run('/receipt')).text).toContain('Nothing has been compacted')
    await ask('Read 8 files, please.')
    const before = (await opened.session.accounting()).total
    await run('/compact')
    const { text } = await run('/receipt', { width: 200 })
    const receipt = opened.session.view().tokens.total
    expect(text).toContain(`${before.toLocaleString('en-US')} → `)
    const [, spent] = /\$([\d.]+) spent on it/.exec(text) ?? []
    expect(Number(spent)).toBeCloseTo(simulator.ledger.totals('compact').dollars, 3)
    const [edit] = (await logEntries(opened.session, AbortSignal.any([])))
      .filter(({ kind }) => kind === 'edit')
      .slice(-1)
    expect((edit as Edit).receipt?.dollars.spent).toBeCloseTo(simulator.ledger.totals('compact').dollars, 10)
    expect(receipt).toBeLessThan(before)
    expect(text).toContain('It is in force.')
    const [, id = ''] = /undo {7}(\S+)$/.exec(text) ?? []
    expect((await run(`/undo ${id.slice(0, 8)}`)).text).toContain(`→ ${before.toLocaleString('en-US')} tokens`)
    expect((await run(`/receipt ${id}`)).text).toContain('It was taken back.')
    expect(await run('/receipt nothing')).toMatchObject({ isError: true, text: expect.stringContaining(id) })
  })
})
