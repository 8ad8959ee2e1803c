import type { Receipt } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { describeReceipt, receiptInFull } from '../../src/index.js'

const RECEIPT: Receipt = {
  trigger: 'auto',
  rung: 'summary',
  covers: { from: 'e1', to: 'e90' },
  undo: 'e91',
  tokens: { before: 167_000, after: 12_400 },
  messages: { folded: 84, kept: 6, dropped: 2 },
  dollars: { spent: 0.0113, rewrite: 0.0101 },
  restored: [{ what: 'src/a.ts', status: 'reference', owner: 'tools', tokens: 1_200 }],
  rules: [{ path: 'AGENTS.md', hash: 'abc123' }],
  checks: [{ name: 'sections', ok: true }],
  chain: { count: 3, turnsSince: 40 },
  ignored: 'Keep the tables.',
}

describe('a receipt', () => {
  it('is one line for people', () => {
    expect(describeReceipt(RECEIPT)).toBe(
      'Compacted with a summary: 167,000 → 12,400 tokens, 84 messages folded, 1 item back, $0.021; to take it back, undo e91.',
    )
  })

  it('is readable in full, with every field', () => {
    expect(receiptInFull(RECEIPT)).toMatchInlineSnapshot(`
      "trigger    auto
      rung       summary
      covers     e1 to e90
      tokens     167,000 → 12,400 (154,600 freed, 93%)
      messages   84 folded, 6 kept, 2 dropped before
      dollars    $0.011 spent on it, $0.010 to write the cache anew
      restored
        tools: src/a.ts, reference, 1,200 tokens
      rules
        AGENTS.md abc123
      checks
        passed  sections
      chain      fold 3 of this session, 40 responses since the one before
      ignored
        Keep the tables.
      undo       e91"
    `)
  })

  it('names what came back cut, and what was left out and why', () => {
    const receipt: Receipt = {
      ...RECEIPT,
      restored: [
        ...RECEIPT.restored,
        { what: 'plan', status: 'live', owner: 'plan-mode', tokens: 4_000, cut: 'lines 1 to 382 of 1200' },
      ],
      leftOut: [{ what: 'skill deploy', owner: 'skills', why: 'it has 4,900 tokens, and there was room for 300' }],
    }
    expect(describeReceipt(receipt)).toContain('84 messages folded, 2 items back (1 cut), 1 left out, $0.021;')
    expect(receiptInFull(receipt)).toContain(
      [
        '  plan-mode: plan, live, 4,000 tokens, cut: lines 1 to 382 of 1200',
        'left out',
        '  skills: skill deploy: it has 4,900 tokens, and there was room for 300',
        'rules',
      ].join('\n'),
    )
  })

  it('says none where there is none, and can be read where an earlier version wrote it', () => {
    const { ignored: _, messages: __, ...rest } = RECEIPT
    const old = { ...rest, restored: [], rules: [], checks: [] } as unknown as Receipt
    expect(describeReceipt(old)).not.toContain('messages')
    expect(receiptInFull(old)).toMatch(/messages {3}not counted[\s\S]*restored {3}none\nrules {6}none\nchecks {5}none/)
  })

  it('tells small sums as exactly as they matter', () => {
    const priced = (spent: number) => describeReceipt({ ...RECEIPT, dollars: { spent, rewrite: 0 } })
    expect(priced(0)).toContain(', $0;')
    expect(priced(1.254)).toContain(', $1.25;')
    expect(priced(0.000_43)).toContain(', $0.00043;')
  })
})
