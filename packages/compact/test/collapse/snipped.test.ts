import { expect, it } from 'vitest'
import { COLLAPSE, collapsing, foldsOf, working } from './collapsing.js'

it('carries what people said in snipped rounds from fold to fold', async () => {
  const flags = { ...COLLAPSE, 'compact.snip': true }
  const all = await collapsing(working(), { window: 8_000, resultTokens: 600, session: { flags } })
  const { session } = all
  for (const prompt of ['Never touch\n  the ledger.', 'Begin.']) await all.ask(prompt)
  const [first] = session.view().rounds
  expect(await session.command('snip', first?.span.from ?? '')).toMatch(/^Snipped/)
  const joined = () => foldsOf(all).filter(({ receipt }) => receipt?.covers.from === first?.span.from)
  for (let turn = 1; turn <= 80 && joined().length < 3; turn++) await all.ask(`Part ${turn}`)
  expect(joined()).toHaveLength(3)
  const texts = (session.view().rounds[0]?.content ?? []).map(({ text }) => String(text))
  expect(texts.at(2)).toContain('>\nNever touch\n  the ledger.\n<')
  expect(texts.join('\n')).not.toMatch(/(\[from entry [^\]]+\]) \1/)
})
