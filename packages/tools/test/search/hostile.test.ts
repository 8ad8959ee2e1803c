import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, readFile, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { searchTools } from '../../src/index.js'
import { findRipgrep } from '../../src/search/ripgrep.js'
import { toolContext } from '../support/tool-context.js'
import { glob, grep, WAYS } from './ask.js'
import { tree } from './tree.js'

const FILES = { 'a.txt': 'needle', 'sub/b.txt': 'needle', 'sub/deep/c.txt': 'needle' }

/** What strangers may put in the place of an ignore file. */
const ODD: readonly (readonly [string, RegExp, (path: string) => unknown])[] = [
  ['a pipe', /it is a pipe, not a regular file/, (path) => execFileSync('mkfifo', [path])],
  ['a link to a device', /it is a device, not a regular file/, (path) => symlink('/dev/zero', path)],
  ['60 MB', /it is larger than 1000000 bytes/, (path) => writeFile(path, '').then(() => truncate(path, 60e6))],
]

describe.skipIf(process.platform === 'win32').each(WAYS)('by $way', ({ options }) => {
  it.each(ODD)('an ignore file that is %s is passed over and told', async (_what, why, make) => {
    const folder = await tree(FILES)
    await make(join(folder, '.gitignore'))
    const before = process.resourceUsage().maxRSS
    const found = await grep(folder, { pattern: 'needle' }, options)
    expect(found.split('\n').slice(0, 3)).toEqual(['a.txt', 'sub/b.txt', 'sub/deep/c.txt'])
    expect(found).toMatch(why)
    expect(found).toContain(`[${join(folder, '.gitignore')} was passed over`)
    expect(await glob(folder, { pattern: '**/*.txt' }, options)).toMatch(why)
    expect(await grep(folder, { pattern: 'hay' }, options)).toMatch(why)
    expect((process.resourceUsage().maxRSS - before) * 1024).toBeLessThan(300e6)
  })

  it('a file that is a pipe or a device is refused by name, and not looked into below a folder', async () => {
    const folder = await tree(FILES)
    execFileSync('mkfifo', [join(folder, 'pipe.txt')])
    await symlink('/dev/zero', join(folder, 'zero.txt'))
    expect(await grep(folder, { pattern: 'needle' }, options)).toBe('a.txt\nsub/b.txt\nsub/deep/c.txt')
    expect((await glob(folder, { pattern: '*.txt' }, options)).split('\n')).toEqual(['a.txt'])
    expect(await grep(folder, { pattern: 'x', path: 'pipe.txt' }, options)).toMatch(/is a pipe, not a regular file/)
    expect(await grep(folder, { pattern: 'x', path: 'zero.txt' }, options)).toMatch(/is a device, not a regular file/)
  })

  it.skipIf(!existsSync('/proc/self/pagemap'))('a file that reports no size is searched, or refused', async () => {
    expect(await grep('/', { pattern: 'Name', path: '/proc/self/status', output_mode: 'count' }, options)).toContain(
      ':1',
    )
    expect(await grep('/', { pattern: 'x', path: '/proc/self/pagemap' }, options)).toMatch(/binary file/)
  })

  it('globs and ignore rules of many stars come to an end', async () => {
    const stars = `${'*a'.repeat(30)}*c`
    const name = 'a'.repeat(200)
    const folder = await tree({ [`${name}cb`]: 'x', [`${name}c`]: 'x', '.gitignore': `${'*b'.repeat(30)}*\n` })
    expect(await glob(folder, { pattern: stars }, options)).toBe(`${name}c`)
    expect(await grep(folder, { pattern: 'x', glob: `!${stars}` }, options)).toBe(`${name}cb`)
    await writeFile(join(folder, '.gitignore'), `${stars}\n`)
    expect(await glob(folder, { pattern: '*' }, options)).toBe(`${name}cb`)
  })

  it('what is interrupted ends', async () => {
    const signal = AbortSignal.abort(new Error('stopped'))
    const { grep: tool } = searchTools(options)
    const input = tool.schema.parse({ pattern: 'x', path: '/' })
    await expect(tool.run(input, toolContext('/', { signal }))).rejects.toThrow('stopped')
  })
})

describe.skipIf(process.platform !== 'linux')('an ignore file further down', () => {
  it('that does not end is read by ripgrep up to a limit of memory, and then by nobody', async () => {
    const folder = await tree(FILES)
    await symlink('/dev/zero', join(folder, 'sub', '.ignore'))
    expect(await grep(folder, { pattern: 'needle' })).toMatch(/^a\.txt\nsub\/b\.txt\n.*\n\n.*it is a device/)
  })

  it('that is a pipe is found while ripgrep waits for it', async () => {
    const folder = await tree(FILES)
    execFileSync('mkfifo', [join(folder, 'sub', 'deep', '.gitignore')])
    expect(await glob(folder, { pattern: '**/*.txt' })).toMatch(
      /c\.txt\n.*\n.*\n\n.*deep\/\.gitignore was passed over: it is a pipe/,
    )
  })
})

describe.skipIf(process.platform === 'win32')('a ripgrep that never answers', () => {
  async function sleeping() {
    const folder = await tree(FILES)
    const ripgrep = join(folder, 'never')
    await writeFile(ripgrep, `#!/bin/sh\necho $$ $(ulimit -v) > '${folder}/started'\nexec sleep 1000\n`)
    await chmod(ripgrep, 0o755)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const stop = new AbortController()
    const { grep: tool } = searchTools({ ripgrep })
    const input = tool.schema.parse({ pattern: 'x' })
    const searching = Promise.resolve(tool.run(input, toolContext(folder, { signal: stop.signal })))
    searching.catch(() => undefined)
    const started = () => readFile(join(folder, 'started'), 'utf8').catch(() => '')
    while ((await started()) === '') await new Promise((resolve) => setImmediate(resolve))
    const [pid = '', limit = ''] = (await started()).trim().split(' ')
    /** Comes back when the process is gone. */
    const ended = async () => {
      while (isAlive(Number(pid))) await new Promise((resolve) => setImmediate(resolve))
    }
    return { folder, searching, stop, limit, ended }
  }

  it('is ended after a minute, with what to do', async () => {
    const { folder, searching, limit, ended } = await sleeping()
    if (process.platform === 'linux') expect(limit).toBe('1048576')
    await vi.advanceTimersByTimeAsync(60_000)
    const message = `The search in ${folder} came to no end within 60 seconds, so it has no result. Narrow it:`
    await expect(searching).rejects.toThrow(message)
    await ended()
  })

  it('is ended by an interrupt at once', async () => {
    const { searching, stop, ended } = await sleeping()
    stop.abort(new Error('stopped'))
    await expect(searching).rejects.toThrow('stopped')
    await ended()
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('both ways are there to be tried', async () => {
  expect(await findRipgrep()).toBeDefined()
})
