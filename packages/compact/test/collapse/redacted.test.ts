import { expect, it } from 'vitest'
import { compact } from '../../src/index.js'
import { hiding } from '../support/hiding.js'
import { besides, COLLAPSE, collapsing, foldsOf, textOfFold, until, working } from './collapsing.js'

it('quotes nothing that was redacted, neither to the model nor to people', async () => {
  const hide = hiding('token-', () => ({ type: 'text', text: '[hidden]' }))
  const flags = { ...COLLAPSE, 'compact.snip': true }
  const all = await collapsing(working({ calls: 3 }), { session: { plugins: [hide, compact()], flags } })
  for (let turn = 1; turn <= 8; turn++) await all.ask(`Use token-${turn}.`)
  await until(() => besides(all).length > 0)
  const [question] = besides(all)
  expect(question?.body).toContain('begins: > [hidden]')
  expect(question?.body).not.toContain('token-1')
  expect(foldsOf(all).map(textOfFold).join('\n')).not.toContain('token-')
  expect(await all.session.command('snip', 'list')).not.toContain('token-')
})
