import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileStore } from '@nacre/core/node'
import { expect, it, onTestFinished } from 'vitest'
import { compact } from '../../src/index.js'
import { eventsOf, setUp } from '../support/start-session.js'

it.each([
  { recall: true, way: /the tool Recall finds and reads the full text/, other: /\.jsonl/ },
  { recall: false, way: /the full text is in the log of this session, \S+\.jsonl,/, other: /Recall/ },
])('a fold tells the way back to the text, with recall $recall', async ({ recall, way, other }) => {
  const home = await mkdtemp(join(tmpdir(), 'nacre-compact-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const { start } = await setUp(() => 'Many words. '.repeat(300))
  const flags = { 'compact.summary': false, 'compact.recall': recall }
  const session = await start({ plugins: [compact()], flags, store: fileStore({ home, project: 'ways' }) })
  for (const prompt of ['One.', 'Two.', 'Three.']) await eventsOf(session.query(prompt))
  const outcome = await session.compact()
  const [fold] = outcome.edit?.changes ?? []
  const text = fold?.kind === 'fold' ? JSON.stringify(fold.content) : ''
  expect(text).toMatch(way)
  expect(text).not.toMatch(other)
})
