import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { cutText, table, wrapText } from '../../src/slash/format.js'
import { cleanText } from '../../src/terminal/clean-text.js'

const text = fc.string({ unit: 'grapheme', maxLength: 120 }).map(cleanText)
const width = fc.integer({ min: 4, max: 90 })

describe('text of a command', () => {
  it('is wrapped to the width and loses nothing but spaces', () => {
    fc.assert(
      fc.property(text, width, (given, columns) => {
        const lines = wrapText(given, columns)
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns)
        expect(lines.join('').replace(/\s/g, '')).toBe(given.replace(/\s/g, ''))
      }),
    )
  })

  it('is cut to the width on one line', () => {
    fc.assert(
      fc.property(text, width, (given, columns) => {
        const line = cutText(given, columns)
        expect(stringWidth(line)).toBeLessThanOrEqual(columns)
        expect(line).not.toContain('\n')
      }),
    )
  })

  it('stands in a table that never cuts a figure', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 90 }), fc.nat(), (name, columns, figure) => {
        const rows = [{ cells: [name, String(figure), String(figure + 1)] }]
        const lines = table({ titles: ['name', 'one', 'two'], rows, width: columns, hasColour: false })
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns)
        expect(lines.join('\n')).toContain(String(figure))
        expect(lines.join('\n')).toContain(String(figure + 1))
      }),
    )
  })

  it('of others can not reach the terminal', () => {
    expect(cleanText('a\u001b[2J\u001b]0;title\u0007b\r\nc\td\u0008')).toBe('ab\nc  d')
  })
})
