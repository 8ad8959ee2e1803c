import { existsSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { memoryStore } from '@nacre/core'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.js'
import { startTools } from './start-tools.js'

const LINES = 'seq -f "line %.0f of the output" 100000'
const WRITTEN = Array.from({ length: 100_000 }, (_, index) => `line ${index + 1} of the output\n`).join('')

function pathIn(text: string): string {
  return /output is in (\S+):/.exec(text)?.[1] ?? /bytes are in (\S+):/.exec(text)?.[1] ?? ''
}

describe('a long output', () => {
  it('is given by its beginning and its end, with what is left out and where it is', async () => {
    const { result, tools } = await startTools()
    const { content } = await result(LINES)
    const text = String(content[0]?.text)
    expect(text.length).toBeLessThanOrEqual(30_000)
    expect(text.length).toBeGreaterThan(29_000)
    expect(text).toMatch(/^line 1 of the output\nline 2 of/)
    expect(text).toMatch(/\nline 99999 of the output\nline 100000 of the output$/)
    const marker = /\n\[… ([\d,]+) of 2,488,895 bytes are left out here, lines ([\d,]+) to ([\d,]+)\. .* …\]\n/.exec(
      text,
    )
    const [whole = '', bytes, from, to] = marker ?? []
    const number = (words = '') => Number(words.replaceAll(',', ''))
    const [head = '', tail = ''] = text.split(whole)
    expect(head.split('\n').at(-1)).toBe(`line ${number(from) - 1} of the output`)
    expect(tail.split('\n')[0]).toBe(`line ${number(to) + 1} of the output`)
    expect(number(bytes) + head.length + 1 + tail.length + 1).toBe(WRITTEN.length)
    expect(tools.bash.maxResultChars).toBe(30_000)
  })

  it('is whole in a file that nobody else can read, until the tools are closed', async () => {
    const { run, tools } = await startTools()
    const path = pathIn(await run(LINES))
    expect((await readFile(path, 'utf8')) === WRITTEN).toBe(true)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
    await tools.close()
    expect(existsSync(dirname(path))).toBe(false)
  })

  it('leaves room for the exit code', async () => {
    const { result } = await startTools({ limits: { resultChars: 2_000 } })
    const { content, isError } = await result(`${LINES}; mkdir a; cd a; sleep 1000 & exit 3`)
    const text = String(content[0]?.text)
    expect(text.length).toBeLessThanOrEqual(2_000)
    expect([isError, text]).toEqual([
      true,
      expect.stringMatching(/line 100000 of the output\n\[Exit code 3\.\]\n\[Ended/),
    ])
  })

  it('may be one line, and is not cut inside a character', async () => {
    const { run } = await startTools()
    const text = await run(`printf '😀%.0s' $(seq 50000)`)
    expect(text.length).toBeLessThanOrEqual(30_000)
    // Half a character would come back as another one.
    expect(Buffer.from(text).toString()).toBe(text)
    expect(text).toMatch(/^(?:😀)+\n\[… [\d,]+ of 200,000 bytes are left out here\. .*\]\n(?:😀)+$/u)
  })

  it('of a few characters more than fit still has them all in the file', async () => {
    const { run } = await startTools({ limits: { resultChars: 1_000 } })
    expect(await run('printf "%01000d" 0')).toBe('0'.repeat(1_000))
    const path = pathIn(await run('printf "%01001d" 0'))
    expect(await readFile(path, 'utf8')).toBe('0'.repeat(1_001))
  })

  it('leaves no file behind where it fits after all', async () => {
    const folder = await temporaryFolder()
    const { run } = await startTools({ folder })
    const text = await run(`printf 'é%.0s' $(seq 20000)`)
    expect(text).toBe('é'.repeat(20_000))
    const [own = ''] = await readdir(folder)
    // Its own notes stand behind a dot.
    expect((await readdir(join(folder, own))).filter((name) => !name.startsWith('.'))).toEqual([])
  })

  it('is in the private folder where the blobs of the session are no files', async () => {
    const { run } = await startTools()
    const store = await memoryStore().open('session', new AbortController().signal)
    for (const _ of [1, 2]) {
      expect((await readFile(pathIn(await run(LINES, {}, { store })), 'utf8')) === WRITTEN).toBe(true)
    }
  })

  it('is in the private folder where the store has no room', async () => {
    const { run } = await startTools()
    const store = await memoryStore().open('session', new AbortController().signal)
    const full = { ...store, put: () => Promise.reject(new Error('disk full')) }
    expect((await readFile(pathIn(await run(LINES, {}, { store: full })), 'utf8')) === WRITTEN).toBe(true)
  })
})

describe('where nothing can be written', () => {
  it('commands run, and say that the rest of their output is lost', async () => {
    const folder = join(await temporaryFolder(), 'a-file')
    await writeFile(folder, '')
    const { run } = await startTools({ folder })
    expect(await run('echo out; echo err >&2; cd /; exit 2')).toContain('out\nerr\n[Exit code 2.]')
    const text = await run(LINES)
    expect(text).toMatch(/^line 1 of[\s\S]*They could not be kept: ENOTDIR[\s\S]*line 100000 of the output$/)
  })

  it('nothing is started in the background', async () => {
    const folder = join(await temporaryFolder(), 'a-file')
    await writeFile(folder, '')
    const { result } = await startTools({ folder })
    const { content, isError } = await result('sleep 1000', { run_in_background: true })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/^Not started: .*ENOTDIR/)])
  })
})

it('more than a file may hold is cut there, and the command goes on', async () => {
  const { run } = await startTools({ limits: { fileBytes: 1_000_000 } })
  const text = await run(`${LINES}; echo done`)
  expect(text).toMatch(/The first 1,000,000 bytes are in .* only the first 1,000,000 bytes are kept[\s\S]*\ndone$/)
  expect((await stat(pathIn(text))).size).toBe(1_000_000)
})
