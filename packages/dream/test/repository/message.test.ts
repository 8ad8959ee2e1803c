import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatMessage, parseMessage } from '../../src/repository/message.js'
import type { Cause } from '../../src/repository/types.js'

it('is a summary, details and trailers', () => {
  const cause: Cause = {
    by: 'dream',
    summary: 'Merged 2',
    details: ['one', 'two'],
    session: 's-1',
    dollars: 0.0123,
    consent: 'reversible',
  }
  expect(formatMessage(cause)).toBe(
    'Merged 2\n\none\ntwo\n\nBy: dream\nSession: s-1\nCost: $0.0123\nConsent: reversible\n',
  )
})

it('reads back what was written, whatever the words', () => {
  const line = fc.string({ minLength: 1 }).map((text) => text.replace(/\s+/g, ' ').trim() || 'x')
  const words = fc.oneof(line, fc.constantFrom('By: hand', 'Session: other', 'Cost: $1', ': x', 'By: dream'))
  const cause = fc.record(
    {
      by: fc.constantFrom('person', 'hand', 'agent', 'extraction', 'dream', 'import', 'undo'),
      summary: words,
      details: fc.array(words, { minLength: 1 }),
      session: line,
      dollars: fc.nat(10_000_000).map((millionths) => millionths / 1_000_000),
      consent: fc.constantFrom('lossless', 'reversible', 'asked'),
    },
    { requiredKeys: ['by', 'summary'] },
  )
  fc.assert(
    fc.property(cause, (each) => {
      expect(parseMessage(formatMessage(each as Cause))).toEqual(each)
    }),
  )
})

it('takes a message without our trailers for a person’s', () => {
  expect(parseMessage('Fix typo\n')).toEqual({ by: 'hand', summary: 'Fix typo' })
  expect(parseMessage('By: dream\n')).toEqual({ by: 'hand', summary: 'By: dream' })
  expect(parseMessage('Fix\n\nSigned-off-by: Ann\n')).toEqual({
    by: 'hand',
    summary: 'Fix',
    details: ['Signed-off-by: Ann'],
  })
  expect(parseMessage('')).toEqual({ by: 'hand', summary: '' })
})
