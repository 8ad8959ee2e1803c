import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cleanOutput } from '../../src/shell/kept-ends.js'

const SEED = 7
const piece = fc.oneof(
  fc.constantFrom(
    '\x1b[31m',
    '\x1b]0;title\x07',
    '\x1b]8;;a b\x1b\\',
    '\x1b',
    '\x1b[',
    '\x1b]x',
    '\x1b(B',
    '\x1b\x1b[0m',
    '\n',
  ),
  fc.string({ unit: 'binary' }),
)
const bytes = fc
  .tuple(fc.array(piece), fc.uint8Array({ maxLength: 5 }), fc.array(piece))
  .map(([before, noText, after]) => Buffer.concat([Buffer.from(before.join('')), noText, Buffer.from(after.join(''))]))

function clean(chunks: readonly Uint8Array[]): string {
  const cleaner = cleanOutput()
  return chunks.map((chunk) => cleaner.add(chunk)).join('') + cleaner.end()
}

it('gives the same text wherever the chunks are cut', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, fc.array(fc.nat({ max: 200 })), async (all, cuts) => {
      const places = [0, ...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length]
      const chunks = places.slice(1).map((end, index) => all.subarray(places[index], end))
      expect(clean(chunks)).toBe(clean([all]))
    }),
    { seed: SEED, numRuns: 500 },
  )
})

it('leaves only text', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, async (all) => {
      const text = clean([all])
      expect(Buffer.from(text).toString()).toBe(text)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(text).not.toMatch(/[\0-\x08\x0b\x0e-\x1f\x7f-\x9f]/)
    }),
    { seed: SEED, numRuns: 500 },
  )
})

it.each([
  ['\x1b[1;38;2;1;2;3mbold\x1b[0m', 'bold'],
  ['\x1b[?25l\x1b[2K\rdone', '\rdone'],
  ['\x1b]0;a title\x07x', 'x'],
  ['\x1b]8;;file:///a b/ü\x1b\\link\x1b]8;;\x1b\\', 'link'],
  ['a tab\t, a form feed\f', 'a tab\t, a form feed\f'],
  ['never ended \x1b]0;so what\nnext', 'never ended 0;so what\nnext'],
])('%j becomes %j', (raw, expected) => {
  expect(clean([Buffer.from(raw)])).toBe(expected)
})
