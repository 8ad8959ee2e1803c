import { type Edit, type Receipt, resolveModel } from '@nacre/core'
import { expect, it } from 'vitest'
import { priceNotice } from '../src/session-memory.js'
import { words } from './support/scripted.js'
import { setUp } from './support/set-up.js'
import { readFileTool, worker } from './support/worker.js'

it('says once when notes have cost more than a summary would have', async () => {
  const { start } = await setUp(worker())
  const { ask, receipts, notices: all } = await start({ tools: [readFileTool()] })
  await ask('Read 300 files.')
  // Core tells of the sizes that the view comes to.
  const notices = all.filter(({ owner }) => owner !== 'core')
  expect(receipts.length).toBeGreaterThan(1)
  expect(notices).toHaveLength(1)
  const [, spent, summary] =
    /have cost \$([\d.]+), a summary would have cost about \$([\d.]+) /.exec(notices[0]?.text ?? '') ?? []
  expect(Number(spent)).toBeGreaterThan(Number(summary))
})

it('says nothing when they have cost less', () => {
  const content = ['frame', words(4_000)].map((text) => ({ type: 'text', text }))
  const fold = { kind: 'fold' as const, span: { from: 'a', to: 'b' }, content }
  const receipt = { tokens: { before: 100_000, after: 20_000 } } as Receipt
  const edit = { changes: [fold], receipt } as unknown as Edit
  // To read 100,000 tokens at $0.30 and to write 4,000 at $15.
  const bill = { model: resolveModel('claude-sonnet-4-6'), growth: 5_000 }
  expect(priceNotice(edit, { ...bill, spent: 0.089 })).toBeUndefined()
  expect(priceNotice(edit, { ...bill, spent: 0.091 })?.text).toContain('about $0.090')
})
