import { expect, test } from 'vitest'
import { nearest } from '../../src/plugins/flags.js'

test.each([
  ['compct', 'compact'],
  ['COMPACT', 'compact'],
  ['session-memroy', 'session-memory'],
  ['dreams', 'dream'],
  ['something else entirely', undefined],
  ['', undefined],
])('the name nearest to %s is %s', (name, found) => {
  expect(nearest(name, ['compact', 'session-memory', 'dream'])).toBe(found)
})

test('of no names none is near', () => {
  expect(nearest('a', [])).toBeUndefined()
})
