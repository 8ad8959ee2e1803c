import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { fileStore } from '../../src/node/file-store.js'
import { createSession } from '../../src/session/create-session.js'
import { scriptedModel } from '../../src/testing/scripted-model.js'
import type { Store } from '../../src/types/store.js'
import { temporaryHome } from '../node/temporary-home.js'
import { folding } from '../relief/folding.js'
import { eventsOf } from './setup.js'

async function foldedIn(store?: Store) {
  const model = scriptedModel(Array.from({ length: 3 }, (_, index) => `answer ${index} ${'words '.repeat(300)}`))
  const session = await createSession({ model, plugins: [folding], ...(store && { store }) })
  for (const prompt of ['the word is quince', 'two', 'three']) await eventsOf(session.query(prompt))
  const { edit } = await session.compact()
  const [change] = edit?.changes ?? []
  const frame = change?.kind === 'fold' ? String(change.content[0]?.text) : ''
  await session.close()
  return frame
}

it('a fold names the file of the log, in which the full text is', async () => {
  const frame = await foldedIn(fileStore({ home: temporaryHome(), project: 'transcripts' }))
  const path = /the log of this session, (\S+\.jsonl), with/.exec(frame)?.[1] ?? ''
  expect(await readFile(path, 'utf8')).toContain('the word is quince')
})

it('a fold names no file where the log is none', async () => {
  expect(await foldedIn()).not.toMatch(/log|lost/)
})
