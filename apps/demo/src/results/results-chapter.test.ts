import { expect, it } from 'vitest'
import { checkResults } from '../expectations.js'
import { painter } from '../table.js'
import { playResults } from './results-chapter.js'
import { resultsText } from './results-text.js'

it('puts a huge result away, finds what matters in it, and sends the same after a resume', async () => {
  const chapter = await playResults()
  checkResults(chapter)
  const text = resultsText(chapter, painter(false))
  for (const word of ['given', 'shown', 'stored', 'looked up', 'resumed'])
    expect(text).toMatch(new RegExp(`^${word} `, 'm'))
  expect(() => checkResults({ ...chapter, isSame: false })).toThrow('the same bytes after a resume')
}, 30_000)
