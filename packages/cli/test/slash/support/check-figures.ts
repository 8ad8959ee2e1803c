import type { Spent } from '@nacre/core'
import type { LedgerEntry } from '@nacre/simulator'
import { expect, vi } from 'vitest'
import { expectedBill } from './expected-bill.js'
import { figuresIn } from './figures-in.js'
import type { TestSession } from './open-for-test.js'

type Told = Pick<TestSession, 'run' | 'opened'>

/** Compares all that a session says of money and sizes with what the server has written down. */
export async function checkFigures(session: Told, billed: readonly LedgerEntry[]): Promise<void> {
  // Notes may still be under way.
  await vi.waitFor(() => checkMoney(session, billed), { timeout: 10_000, interval: 5 })
  await checkContext(session)
}

async function checkMoney({ run, opened: { session } }: Told, billed: readonly LedgerEntry[]): Promise<void> {
  const { text } = await run('/cost', { width: 160 })
  const cache = figuresIn((await run('/cache', { width: 160 })).text, 'source')
  const known = billed.filter(({ status }) => status === 200)
  if (known.length === 0) return expect(text).toBe('Nothing has been spent yet.')
  for (const key of ['source', 'model'] as const) {
    const rows = figuresIn(text, key)
    const names = [...new Set(known.map((entry) => entry[key]))]
    expect([...rows.keys()].toSorted()).toEqual([...names, 'total'].toSorted())
    for (const name of names) checkRow(rows.get(name), expectedBill(known.filter((entry) => entry[key] === name)))
    checkRow(rows.get('total'), expectedBill(known))
  }
  for (const source of [...new Set(known.map((entry) => entry.source)), undefined]) {
    const bill = expectedBill(known.filter((entry) => source === undefined || entry.source === source))
    const { dollars, ...tokens } = bill
    expect(session.cost(source)).toMatchObject(tokens)
    expect(session.cost(source).dollars).toBeCloseTo(dollars, 9)
    const { cacheRead, input } = bill
    const written = bill.cacheWrite5m + bill.cacheWrite1h
    const row = cache.get(source ?? 'total')
    expect(row).toMatchObject({ read: cacheRead, written, neither: input })
    expect(row?.['hit rate']).toBeCloseTo((100 * cacheRead) / (cacheRead + written + input), 1)
  }
}

function checkRow(row: Readonly<Record<string, number>> | undefined, bill: Spent): void {
  const { calls = 0, input = 0, read = 0, output = 0, dollars = 0 } = row ?? {}
  expect({ calls, input, read, output }).toEqual({
    calls: bill.requests,
    input: bill.input,
    read: bill.cacheRead,
    output: bill.output,
  })
  expect([row?.['write 5m'] ?? 0, row?.['write 1h'] ?? 0]).toEqual([bill.cacheWrite5m, bill.cacheWrite1h])
  expect(Math.abs(dollars - bill.dollars)).toBeLessThan(0.000_050_01)
}

async function checkContext({ run, opened: { session } }: Told): Promise<void> {
  const { text } = await run('/context', { width: 160 })
  const { total } = session.view().tokens
  expect(text.startsWith(`${total.toLocaleString('en-US')} of `), text).toBe(true)
  expect(figuresIn(text, 'class').get('total')).toMatchObject({ tokens: total })
  for (const title of ['class', 'owner']) {
    const parts = [...figuresIn(text, title)].filter(([name]) => name !== 'total').map(([, { tokens = 0 }]) => tokens)
    expect(parts.every((tokens) => tokens >= 0)).toBe(true)
    expect(parts.reduce((sum, tokens) => sum + tokens, 0)).toBe(total)
  }
}
