import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileStore } from '../../src/node/file-store.js'
import { encodeBatch } from '../../src/node/log-lines.js'
import { all, user } from './entries.js'
import { PROJECT, projectFolder } from './log-path.js'
import { temporaryHome } from './temporary-home.js'

const HOLE = 10 * 1024 * 1024

// Windows gives a hole its full size on the disk.
it.skipIf(process.platform === 'win32')(
  'lists a thousand sessions of 10 MB each without reading what is between head and tail',
  async () => {
    const home = temporaryHome()
    const folder = projectFolder(home)
    mkdirSync(folder, { recursive: true })
    for (let count = 0; count < 1000; count++) {
      const path = join(folder, `s${count}.jsonl`)
      writeFileSync(path, encodeBatch({ entries: [user('a', `Prompt ${count}`)] }))
      truncateSync(path, HOLE)
      appendFileSync(path, `\n${encodeBatch({ entries: [user('z', 'last', 1 + ((count * 7) % 1000))] })}`)
      // A batch that is being written is not seen yet.
      if (count % 10 === 0) appendFileSync(path, '{"v":1,"entr')
    }
    writeFileSync(join(folder, 'broken.jsonl'), 'no log\nat all\n')
    writeFileSync(join(folder, 'notes.txt'), '')
    const sessions = await all(fileStore({ home, project: PROJECT }).list())
    expect(sessions.map(({ time }) => time)).toEqual(Array.from({ length: 1000 }, (_, index) => 1000 - index))
    for (const { id, title } of sessions) expect(title).toBe(`Prompt ${id.slice(1)}`)
  },
  60_000,
)
