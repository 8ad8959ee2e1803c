import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countLines, excerptOf } from '../../src/storage/preview.js'

const bytesOf = (text: string) => Buffer.byteLength(text)
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

describe('an excerpt', () => {
  it('ends and begins at line ends', () => {
    const { head, tail, unseen, isLineCut } = excerptOf(lines(1_000), 100)
    expect(head).toMatch(/^(line \d+\n)+$/)
    expect(tail).toMatch(/^(line \d+\n)+$/)
    expect(tail.endsWith('line 1000\n')).toBe(true)
    expect(head.endsWith(`line ${unseen.from - 1}\n`)).toBe(true)
    expect(tail.startsWith(`line ${unseen.to + 1}\n`)).toBe(true)
    expect(isLineCut).toBe(false)
  })

  it('shows parts of a single line, and which bytes of it are missing', () => {
    const { head, tail, lines: count, unseen, unseenBytes, isLineCut } = excerptOf('x'.repeat(5_000), 100)
    expect([head.length, tail.length, count, isLineCut]).toEqual([60, 40, 1, true])
    expect(unseen).toEqual({ from: 1, to: 1 })
    expect(unseenBytes).toEqual({ from: 61, to: 4_960 })
  })

  it('cuts no character, also of several code points', () => {
    const family = '👩‍👩‍👧‍👦'
    const { head, tail } = excerptOf(family.repeat(500), 200)
    expect(head).toBe(family.repeat(head.length / family.length))
    expect(tail).toBe(family.repeat(tail.length / family.length))
    expect(head.length + tail.length).toBeGreaterThan(0)
  })

  it('is empty where there is no room', () => {
    const { head, tail, unseen } = excerptOf(lines(10), 0)
    expect([head, tail, unseen]).toEqual(['', '', { from: 1, to: 10 }])
  })

  it('stays within its room and accounts for every byte and line, whatever the text', async () => {
    const piece = fc.constantFrom('a', 'ä', '漢', '👩‍👩‍👧‍👦', 'é', '\n', '\r\n', ' ', 'word')
    const text = fc.array(piece, { minLength: 60, maxLength: 400 }).map((pieces) => pieces.join(''))
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 0, max: 50 }), async (whole, room) => {
        const { head, tail, bytes, unseen, unseenBytes, isLineCut, lines: count } = excerptOf(whole, room)
        expect(bytesOf(head) + bytesOf(tail)).toBeLessThanOrEqual(room)
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true)
        expect(bytes).toBe(bytesOf(whole))
        expect(unseenBytes.to - unseenBytes.from + 1).toBe(bytes - bytesOf(head) - bytesOf(tail))
        const all = whole.split('\n').slice(0, count)
        if (!isLineCut) {
          expect(
            all
              .slice(0, unseen.from - 1)
              .map((line) => `${line}\n`)
              .join(''),
          ).toBe(head)
          expect(all.slice(unseen.to).join('\n')).toBe(tail.replace(/\n$/, ''))
        }
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})

it('counts lines, with or without an end of the last', () => {
  expect(['', 'a', 'a\n', 'a\nb', '\n\n'].map(countLines)).toEqual([0, 1, 1, 2, 2])
})
