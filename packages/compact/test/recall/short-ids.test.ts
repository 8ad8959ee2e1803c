import type { Entry, SessionStore } from '@nacre/core'
import { expect, it } from 'vitest'
import { recallTool } from '../../src/recall/recall-tool.js'

const said = (id: string, text: string): Entry => ({ kind: 'user', id, time: 0, content: [{ type: 'text', text }] })

const LOG = [said('aaaaaaaa-1111', 'first'), said('aaaaaaaa-2222', 'second'), said('bbbbbbbb-1111', 'third')]

async function read(id: string): Promise<string> {
  const store = {
    async *read() {
      yield* LOG
    },
    get: async () => undefined,
  } as unknown as SessionStore
  const context = { callId: 'c', cwd: '.', signal: new AbortController().signal, progress: () => undefined }
  const { content } = await recallTool({ store }).run({ id, offset: 0 }, context)
  return String(content[0]?.text)
}

it('finds an entry by how its id begins, as the index of exact names has it', async () => {
  expect(await read('bbbbbbbb')).toContain('third')
  expect(await read('aaaaaaaa-2')).toContain('second')
  expect(await read('aaaaaaaa-1111')).toContain('first')
})

it('says which ids begin alike, and takes no beginning that is too short', async () => {
  expect(await read('aaaaaaaa')).toContain('aaaaaaaa-1111, aaaaaaaa-2222')
  expect(await read('bbbb')).toContain('There is no entry')
})
