import { estimateText } from '@nacre/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSections } from '../../src/summary/find-sections.js'
import { cutHead } from '../../src/summary/plain.js'
import { readAnswer } from '../../src/summary/read-answer.js'
import { sectionTitles } from '../../src/summary/sections.js'

const SEED = { seed: 20_261_116, numRuns: 200 }
const mark = fc.constantFrom('', '## ', '**', '### **', '- ')
const divider = fc.constantFrom('. ', ') ', ': ', '. **')
const body = fc.string({ maxLength: 60 }).map((text) => text.replace(/[\d<]/g, ' '))

describe('a summary', () => {
  it('is found with all its sections, whatever marks it carries and whatever it quotes', async () => {
    await fc.assert(
      fc.property(
        fc.array(fc.tuple(mark, divider, body), { minLength: 9, maxLength: 9 }),
        fc.boolean(),
        (parts, isUpTo) => {
          const titles = sectionTitles(isUpTo)
          const sections = parts.map(([before, between, text], index) => {
            const quote = index === 5 ? '\n7. Pending tasks\n(quoted)' : ''
            return `${before}${index + 1}${between}${titles[index]}\n${text}${quote}`
          })
          const summary = sections.join('\n')
          const { text } = readAnswer({
            text: `<analysis>\n<summary>\n</analysis>\n<summary>\n${summary}\n</summary>`,
            stop: 'end_turn',
          })
          const found = findSections(text, titles)
          expect(found.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
          expect(text.slice(found[5]?.body, found[5]?.end)).toContain('(quoted)')
        },
      ),
      SEED,
    )
  })

  it('that is too long loses rounds with every cut, the oldest first, and covers the gap', async () => {
    const rounds = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.boolean()), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.property(rounds, fc.option(fc.integer({ min: 1, max: 3_000 }), { nil: undefined }), (sizes, gap) => {
        const all = sizes.map(([words, isFold], index) => ({
          span: { from: `${index}`, to: `${index}` },
          isFold: isFold && index === 0,
          said: [{ role: 'user' as const, text: 'word '.repeat(words) }],
        }))
        const details = gap === undefined ? {} : { gap, limit: 1_000 }
        const kept = cutHead(all, details)
        expect(kept.length).toBeLessThan(all.length)
        const plain = all.filter(({ isFold }) => !isFold)
        const left = kept.filter(({ isFold }) => !isFold)
        expect(left).toEqual(left.length === 0 ? [] : plain.slice(-left.length))
        if (left.length > 0 && all[0]?.isFold) expect(kept[0]).toBe(all[0])
        const sizeOf = (some: typeof all) => some.reduce((sum, { said }) => sum + estimateText(said[0]?.text ?? ''), 0)
        const scale = Math.max(1, ((gap ?? 0) + 1_000) / sizeOf(all))
        const freed = (sizeOf(all) - sizeOf(all.filter((round) => kept.includes(round)))) * scale
        if (gap !== undefined && kept.length > 0) expect(freed).toBeGreaterThanOrEqual(gap)
        if (gap === undefined) expect(all.length - kept.length).toBe(Math.max(1, Math.ceil(all.length * 0.2)))
      }),
      SEED,
    )
  })
})
