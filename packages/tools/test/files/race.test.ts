import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileTools, type PathGuard, realPath, textOf } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'

/** A workspace with a file, a place outside of it, and a guard that lets calls through to what they were judged for. */
async function scene() {
  const folder = await temporaryFolder()
  const [inside, outside] = [join(folder, 'work', 'src'), join(folder, 'outside')]
  mkdirSync(inside, { recursive: true })
  mkdirSync(outside)
  writeFileSync(join(inside, 'a.txt'), 'mine')
  writeFileSync(join(outside, 'a.txt'), 'secret')
  const judged = new Map<string, string>()
  const guard: PathGuard = {
    verify(call, path) {
      if (judged.get(call) !== path) throw new Error(`${path} is not what was judged.`)
    },
  }
  return {
    inside,
    outside,
    cwd: join(folder, 'work'),
    guard,
    judge: async (call: string, path: string) => judged.set(call, await realPath(path, join(folder, 'work'))),
    /** The folder becomes a link to the place outside. */
    swap() {
      renameSync(inside, `${inside}-moved`)
      symlinkSync(outside, inside)
    },
    untouched: () => readFileSync(join(outside, 'a.txt'), 'utf8') === 'secret' && readdirSync(outside).length === 1,
  }
}

describe.skipIf(process.platform === 'win32')('a folder that becomes a link', () => {
  it('between the judgement and the use leads no call to another place', async () => {
    const { cwd, guard, judge, swap, untouched } = await scene()
    const { read, write, edit } = fileTools({ guard })
    const calls = ['read', 'write', 'new', 'edit'].map((callId) => toolContext(cwd, { callId }))
    for (const { callId } of calls) await judge(callId, callId === 'new' ? 'src/new/b.txt' : 'src/a.txt')
    swap()
    const change = { file_path: 'src/a.txt', old_string: 'secret', new_string: 'x', replace_all: false }
    const [reading, writing, making, editing] = calls as [never, never, never, never]
    const results = [
      await read.run({ file_path: 'src/a.txt' }, reading),
      await write.run({ file_path: 'src/a.txt', content: 'x' }, writing),
      await write.run({ file_path: 'src/new/b.txt', content: 'x' }, making),
      await edit.run(change, editing),
    ]
    for (const result of results) {
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(/is not what was judged/)
    }
    expect(untouched()).toBe(true)
  })

  it.skipIf(process.platform !== 'linux')('after the guard has agreed leads no call to another place', async () => {
    for (const use of ['read', 'write', 'new'] as const) {
      const { cwd, swap, untouched, inside } = await scene()
      let times = 0
      const last = use === 'read' ? 1 : 2
      const guard: PathGuard = {
        verify: () => {
          times += 1
          if (times === last) swap()
        },
      }
      const { read, write } = fileTools({ guard })
      if (use === 'read') {
        expect(textOf(await read.run({ file_path: 'src/a.txt' }, toolContext(cwd)))).toBe('     1\tmine')
      } else {
        const path = use === 'new' ? `src${sep}b.txt` : `src${sep}a.txt`
        const result = await write.run({ file_path: path, content: 'x' }, toolContext(cwd))
        if (use === 'write') expect(textOf(result)).toMatch(/was not read/)
        else expect(readFileSync(join(`${inside}-moved`, 'b.txt'), 'utf8')).toBe('x')
      }
      expect(untouched()).toBe(true)
    }
  })

  it.skipIf(process.platform !== 'linux')('while folders are made leads to nothing outside', async () => {
    const { cwd, swap, untouched } = await scene()
    let times = 0
    const guard: PathGuard = {
      verify: () => {
        times += 1
        if (times === 1) swap()
      },
    }
    const { write } = fileTools({ guard })
    const result = await write.run({ file_path: 'src/new/deep/b.txt', content: 'x' }, toolContext(cwd))
    expect(result.isError).toBe(true)
    expect(untouched()).toBe(true)
  })
})
