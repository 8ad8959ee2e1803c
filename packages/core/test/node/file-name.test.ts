import { assert, asyncProperty, string } from 'fast-check'
import { expect, it } from 'vitest'
import { fromFileName, toFileName } from '../../src/node/places.js'

it('gives every id a name of its own that stays in its folder', async () => {
  await assert(
    asyncProperty(string({ unit: 'grapheme' }), async (id) => {
      expect(toFileName(id)).toMatch(/^[A-Za-z0-9%_-]*$/)
      expect(fromFileName(toFileName(id))).toBe(id)
    }),
  )
})

it('knows names that it did not make', () => {
  expect(['a.b', '%', '%61', 'a b'].map(fromFileName)).toEqual([undefined, undefined, undefined, undefined])
})
