import fc from 'fast-check'
import { expect, it } from 'vitest'
import { costlyGlob, isCostlyGlob } from '../src/costly-glob.js'
import { globExpression } from '../src/search/file-filter.js'

const piece = fc.constantFrom('a', 'b', '.', '*', '**', '?', '[ab]', '[!a]', '{a,b}', '{a,.b,}', '\\*', '(', 'é')
const name = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''))
const glob = fc.array(fc.oneof(name, fc.constant('**')), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
const part = fc.array(fc.constantFrom('a', 'b', '.', '*', '(', 'é'), { minLength: 1, maxLength: 4 })
const path = fc.array(part, { minLength: 1, maxLength: 4 }).map((names) => names.map((each) => each.join('')).join('/'))
// Where braces and stars touch, an expression asks whether a name begins there before it knows what stands there.
const isPlain = (text: string) => !isCostlyGlob(text) && !/[{},][*?[]|\}[*?[]/.test(text)

it.each([true, false])('a glob is fitted as its expression would fit it, names with dots included: %s', (dots) => {
  fc.assert(
    fc.property(glob.filter(isPlain), path, (text, way) => {
      const slow = costlyGlob(text, { dots, hasBraces: true }).test(way)
      expect(slow).toBe(globExpression(text, { dots }).test(way))
    }),
    { seed: 17, numRuns: 3_000 },
  )
})

it('the globs that people write are fitted by an expression', () => {
  for (const text of [
    '**/*.ts',
    'packages/*/src/**/*.{ts,tsx}',
    '*.test.*',
    '**/{a,b}/*.{js,ts}',
    '**/node_modules/**',
  ])
    expect(isCostlyGlob(text)).toBe(false)
})
