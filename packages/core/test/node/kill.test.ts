import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fileStore } from '../../src/node/file-store.js'
import { bundleChild } from './bundle-child.js'
import { idsOf, never, user } from './entries.js'
import { PROJECT, projectFolder } from './log-path.js'

const folder = mkdtempSync(join(tmpdir(), 'nacre-kill-'))
let script = ''
beforeAll(async () => {
  script = await bundleChild('appender', folder)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Lets a child append until it has acknowledged `count` batches, and some moments more; then kills it. */
async function acknowledged(home: string, count: number, moments: number): Promise<string[]> {
  const child: ChildProcess = spawn(process.execPath, [script, home, PROJECT], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  let isDue = false
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (isDue || text.split('\n').length <= count) return
    isDue = true
    let left = moments
    const wait = () => (left-- > 0 ? setImmediate(wait) : child.kill('SIGKILL'))
    wait()
  })
  await once(child, 'close')
  return text.split('\n').slice(0, -1)
}

it('loses nothing that was acknowledged, and takes over at once, whenever a writer is killed', async () => {
  const home = join(folder, 'home')
  const promised: string[] = []
  let torn = 0
  for (let kill = 0; kill < 20; kill++) {
    promised.push(...(await acknowledged(home, 1 + ((kill * 7) % 13), (kill * 31) % 97)))
    const store = fileStore({ home, project: PROJECT, report: () => torn++ })
    const session = await store.open('one', never)
    const ids = await idsOf(session.read())
    const known = new Set(ids)
    expect(promised.filter((id) => !known.has(`${id}a`) || !known.has(`${id}b`))).toEqual([])
    // Batches are whole: each has both of its entries, one behind the other.
    for (let index = 0; index < ids.length; index++) {
      const id = ids[index] ?? ''
      if (id.endsWith('a')) expect(ids[index + 1]).toBe(id.replace('a', 'b'))
    }
    await session.append([user(`between ${kill}`)])
    await session.close()
  }
  expect(readdirSync(join(projectFolder(home), 'locks'))).toEqual([])
  expect(torn).toBeLessThanOrEqual(20)
})
