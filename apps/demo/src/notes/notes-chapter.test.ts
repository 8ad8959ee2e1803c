import { expect, it } from 'vitest'
import { checkNotes } from '../expectations.js'
import { painter } from '../table.js'
import { playNotes } from './notes-chapter.js'
import { notesText } from './notes-text.js'

it('keeps notes beside a shift, and compacts by them without a model call', async () => {
  const chapter = await playNotes()
  checkNotes(chapter)
  const text = notesText(chapter, painter(false))
  for (const word of ['noted', 'compacted', 'asked', 'covered']) expect(text).toMatch(new RegExp(`^${word} `, 'm'))
  expect(() => checkNotes({ ...chapter, summaries: 1 })).toThrow('no model call')
}, 60_000)
