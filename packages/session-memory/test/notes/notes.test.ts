import { estimateText } from '@nacre/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  applyEdits,
  cutSections,
  DEFAULT_TEMPLATE,
  readNotes,
  readTemplate,
  writeNotes,
} from '../../src/notes/notes.js'
import { frameNotes, unframeNotes } from '../../src/store/notes-store.js'

const sections = readTemplate(DEFAULT_TEMPLATE)
const names = sections.map(({ name }) => name)
const line = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '# Worklog',
    '#  current state ',
    '## Learnings',
    '_A line in italics._',
    '',
    '- a point',
    '# Another',
  ),
  fc.constantFrom(...sections.map(({ hint }) => hint)),
)
const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n'))
const edits = fc.array(
  fc.record({
    section: fc.constantFrom(...names),
    how: fc.constantFrom('replace' as const, 'append' as const, 'change' as const),
    text,
    old: fc.string({ maxLength: 3 }),
  }),
  { maxLength: 12 },
)

it('reads what it has written, whatever the model has put into sections', () => {
  fc.assert(
    fc.property(edits, (given) => {
      const notes = applyEdits(new Map(), given, sections)
      const written = writeNotes(notes, sections)
      expect([...readNotes(written, sections)].toSorted()).toEqual([...notes].toSorted())
      expect(written.match(/^# .*$/gm)?.filter((heading) => names.includes(heading.slice(2)))).toEqual(
        names.map((name) => `# ${name}`),
      )
    }),
    { seed: 4, numRuns: 500 },
  )
})

it('knows whole notes from those that were cut off anywhere', () => {
  fc.assert(
    fc.property(text, fc.string(), fc.nat(), (words, covers, turn) => {
      const mark = { session: 's-->', covers, turn }
      const file = frameNotes(words, mark)
      expect(unframeNotes(file)).toEqual({ text: words.trim(), mark })
      for (let length = 0; length < file.length - 1; length += 7)
        expect(unframeNotes(file.slice(0, length))).toBeUndefined()
    }),
    { seed: 4, numRuns: 200 },
  )
})

it('never lets notes be larger than they may, and cuts none that fits', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(8_000), { minLength: 10, maxLength: 10 }),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      (sizes, scale) => {
        const notes = new Map(
          names
            .map((name, index) => [name, 'word '.repeat(sizes[index] ?? 0).trim()] as const)
            .filter(([, words]) => words !== ''),
        )
        const cut = cutSections(notes, sections, scale, '/notes.md')
        const total = [...notes.values()].reduce((sum, words) => sum + estimateText(words), 0)
        // The headings and the marks come on top.
        expect(estimateText(cut)).toBeLessThan(12_000 * scale + 500)
        const isSmall =
          total <= 12_000 * scale && [...notes.values()].every((words) => estimateText(words) <= 2_000 * scale)
        expect(cut.includes('[cut here')).toBe(!isSmall)
      },
    ),
    { seed: 4, numRuns: 100 },
  )
})

it('leaves new words at the end where the old ones are gone', () => {
  const before = new Map([['Learnings', 'Use npm.']])
  const changed = applyEdits(
    before,
    [{ section: 'Learnings', how: 'change', old: 'yarn', text: 'Use pnpm.' }],
    sections,
  )
  expect(changed.get('Learnings')).toBe('Use npm.\nUse pnpm.')
})
