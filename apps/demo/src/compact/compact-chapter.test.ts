import { expect, it } from 'vitest'
import { checkCompaction } from '../expectations.js'
import { painter } from '../table.js'
import { playCompaction } from './compact-chapter.js'
import { compactText } from './compact-text.js'

it('clears, folds, takes back, recalls, and folds without a network', async () => {
  const chapter = await playCompaction()
  checkCompaction(chapter)
  const text = compactText(chapter, painter(false))
  for (const word of ['cleared', 'saved', 'compacted', 'checked', 'undone', 'recalled', 'network cut'])
    expect(text).toMatch(new RegExp(`^${word} `, 'm'))
  expect(() => checkCompaction({ ...chapter, isUndone: false })).toThrow('the very bytes')
}, 60_000)
