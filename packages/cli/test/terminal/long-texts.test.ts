import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { editorLines } from '../../src/screen/paint/live-lines.js'
import { EMPTY_EDITOR, insertText, pressKey } from '../../src/screen/state/editor.js'
import { cutLine, plainLines, span } from '../../src/screen/text/lines.js'
import { cutText, wrapText } from '../../src/slash/format.js'
import { columnsOf, graphemes } from '../../src/terminal/text.js'

const FAMILY = '👩‍👩‍👧‍👦'

describe('characters', () => {
  it('are those of a segmenter, wherever a long text is cut into pieces', () => {
    const parts = fc.constantFrom(
      'a',
      '\n',
      ' ',
      'é',
      'e\u0301\u0323',
      FAMILY,
      '🇩🇪',
      '👍🏽',
      '日',
      'ش',
      'हिन्दी',
      '\r\n',
      '\u200d',
    )
    fc.assert(
      fc.property(fc.array(parts, { minLength: 600, maxLength: 900 }), (some) => {
        const text = some.join('')
        const wanted = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
        expect(graphemes(text)).toEqual(wanted)
      }),
      { numRuns: 10, seed: 7 },
    )
  })

  it('take the columns that they take by themselves', () => {
    const text = `e\u0301日${FAMILY} a`.repeat(150)
    expect(text.length).toBeGreaterThan(1_000)
    expect(columnsOf(text)).toBe(stringWidth(`e\u0301日${FAMILY} a`) * 150)
  })
})

/** What takes the square of its length takes minutes for these. */
describe.each([
  ['many lines', 'x'.repeat(49).concat('\n').repeat(4_000)],
  ['one line with wide letters', '日本語 and more, '.repeat(4_000)],
  ['one word', '語'.repeat(8_000)],
])('a long text: %s', (_, text) => {
  it('is typed over, cut and wrapped while somebody waits', () => {
    const pasted = insertText(EMPTY_EDITOR, text)
    expect(editorLines(pasted, 80, 10).lines).toHaveLength(10)
    expect(pressKey(pasted, 'backspace')?.text).toHaveLength(text.length - 1)
    expect(cutLine([span(text.replaceAll('\n', ' '))], 80)).toHaveLength(1)
    expect(plainLines(text, 80).length).toBeGreaterThan(190)
    expect(stringWidth(cutText(text, 80))).toBeLessThanOrEqual(80)
    expect(wrapText(text, 80).length).toBeGreaterThan(190)
  })
})
