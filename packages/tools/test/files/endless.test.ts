import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fileTools, textOf } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'

const PAGEMAP = '/proc/self/pagemap'
const hasPagemap = existsSync(PAGEMAP)

/** How many bytes of memory were taken at most while something ran, beyond those that the process had ever taken. */
async function memoryOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.resourceUsage().maxRSS
  await work()
  return (process.resourceUsage().maxRSS - before) * 1024
}

describe.skipIf(!hasPagemap)('a file that reports no size and does not end', () => {
  it('is read up to a limit and then refused, with what to do', async () => {
    const folder = await temporaryFolder()
    const { read } = fileTools()
    let said = ''
    const grown = await memoryOf(async () => {
      said = textOf(await read.run({ file_path: PAGEMAP }, toolContext(folder)))
    })
    expect(said).toMatch(/^\/proc\/\S+\/pagemap reports a size of 0 and yet has more than 16 MB.*head -c\.$/)
    expect(grown).toBeLessThan(200e6)
  })

  it('is neither changed nor replaced', async () => {
    const folder = await temporaryFolder()
    const { edit, multiEdit, write } = fileTools()
    const context = toolContext(folder)
    const change = { old_string: 'a', new_string: 'b', replace_all: false }
    const results = [
      await edit.run({ file_path: PAGEMAP, ...change }, context),
      await multiEdit.run({ file_path: PAGEMAP, edits: [change] }, context),
      await write.run({ file_path: PAGEMAP, content: '' }, context),
    ]
    for (const result of results) expect(textOf(result)).toContain('reports a size of 0')
  })

  it('that is short is read whole', async () => {
    const { read } = fileTools()
    expect(textOf(await read.run({ file_path: '/proc/self/status' }, toolContext('/')))).toMatch(/^ +1\tName:/)
  })

  it('is not read after an interrupt', async () => {
    const { read } = fileTools()
    const signal = AbortSignal.abort(new Error('stopped'))
    await expect(read.run({ file_path: PAGEMAP }, toolContext('/', { signal }))).rejects.toThrow('stopped')
  })
})

describe.skipIf(process.platform === 'win32')('what is no file', () => {
  it.each([
    ['pipe', async (path: string) => void execFileSync('mkfifo', [path])],
    ['socket', listen],
    ['device', (path: string) => symlink('/dev/zero', path)],
  ])('is neither read, changed nor replaced: a %s', async (kind, make) => {
    const folder = await temporaryFolder()
    await make(join(folder, 'odd'))
    const { read, edit, write } = fileTools()
    const context = toolContext(folder)
    const change = { old_string: 'a', new_string: 'b', replace_all: false }
    const results = [
      await read.run({ file_path: 'odd' }, context),
      await edit.run({ file_path: 'odd', ...change }, context),
      await write.run({ file_path: 'odd', content: 'text' }, context),
    ]
    for (const result of results) {
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(new RegExp(`is not a regular file but a .*${kind}.* Name a file\\.$`))
    }
    expect((await lstat(join(folder, 'odd'))).isFile()).toBe(false)
  })
})

async function listen(path: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(path, done))
  onTestFinished(() => new Promise<void>((done) => void server.close(() => done())))
}
