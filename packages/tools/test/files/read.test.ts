import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileTools, textOf } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'

async function reader() {
  const folder = await temporaryFolder()
  const { read } = fileTools()
  const run = (input: object) => read.run(read.schema.parse(input), toolContext(folder))
  return {
    folder,
    read,
    run,
    text: async (input: object) => textOf(await run(input)),
    file: (name: string, content: string | Buffer) => writeFile(join(folder, name), content),
  }
}

it('gives lines with their numbers, by a path from the working directory or an absolute one', async () => {
  const { folder, file, text } = await reader()
  await file('a.txt', 'one\ntwo\n\nfour')
  const shown = '     1\tone\n     2\ttwo\n     3\t\n     4\tfour'
  expect(await text({ file_path: 'a.txt' })).toBe(shown)
  expect(await text({ file_path: join(folder, 'a.txt'), limit: 2_000 })).toBe(shown)
})

it('gives the part that is asked for and says where the rest is', async () => {
  const { file, text } = await reader()
  await file('a.txt', Array.from({ length: 3_000 }, (_, line) => `line ${line + 1}\n`).join(''))
  expect(await text({ file_path: 'a.txt', offset: 2, limit: 2 })).toBe(
    '     2\tline 2\n     3\tline 3\n(Lines 2 to 3 of 3000. The next are at offset 4.)',
  )
  const start = (await text({ file_path: 'a.txt' })).split('\n')
  expect(start.slice(-2)).toEqual(['  2000\tline 2000', '(Lines 1 to 2000 of 3000. The next are at offset 2001.)'])
  expect(await text({ file_path: 'a.txt', offset: 2_999 })).toBe('  2999\tline 2999\n  3000\tline 3000')
})

it('refuses lines behind the end, and says how many there are', async () => {
  const { file, run } = await reader()
  await file('a.txt', 'one\n')
  const result = await run({ file_path: 'a.txt', offset: 7 })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('has 1 line: there is no line 7')
})

it('cuts very long lines and says so, without splitting a character', async () => {
  const { file, text } = await reader()
  await file('a.txt', `${'x'.repeat(1_999)}😀${'y'.repeat(5_000)}\nshort`)
  const [long, short] = (await text({ file_path: 'a.txt' })).split('\n')
  expect(long).toBe(`     1\t${'x'.repeat(1_999)} … [the line goes on: 7001 characters in all]`)
  expect(short).toBe('     2\tshort')
})

it('refuses more than fits instead of cutting it silently, and names a limit that fits', async () => {
  const { file, run, text } = await reader()
  await file('a.txt', `${'word '.repeat(40)}\n`.repeat(1_500))
  const result = await run({ file_path: 'a.txt' })
  expect(result.isError).toBe(true)
  const [, fitting] = /about (\d+) lines fit/.exec(textOf(result)) ?? []
  expect(textOf(result)).toMatch(/offset and limit/)
  expect(await text({ file_path: 'a.txt', limit: Number(fitting) })).toContain(`Lines 1 to ${fitting} of 1500`)
})

it('is never stored by its size', async () => {
  const { read } = await reader()
  expect(read.maxResultChars).toBe(Number.POSITIVE_INFINITY)
})

const NEXT = 'übung\nzwei'
const ENCODED: readonly (readonly [string, Buffer])[] = [
  ['UTF-8', Buffer.from(NEXT)],
  ['UTF-8 with a mark', Buffer.from(`\uFEFF${NEXT}`)],
  ['UTF-16 LE', Buffer.from(`\uFEFF${NEXT}`, 'utf16le')],
  ['UTF-16 BE', Buffer.from(`\uFEFF${NEXT}`, 'utf16le').swap16()],
  ['UTF-16 LE without a mark', Buffer.from(NEXT, 'utf16le')],
  ['UTF-16 BE without a mark', Buffer.from(NEXT, 'utf16le').swap16()],
  ['latin1', Buffer.from(NEXT, 'latin1')],
]

it.each(ENCODED)('reads %s', async (_name, bytes) => {
  const { file, text } = await reader()
  await file('a.txt', bytes)
  expect(await text({ file_path: 'a.txt' })).toBe('     1\tübung\n     2\tzwei')
})

it('says that a file is empty', async () => {
  const { file, text } = await reader()
  await file('a.txt', '')
  expect(await text({ file_path: 'a.txt' })).toMatch(/a\.txt exists and is empty/)
})

it('names files that may have been meant where there is none', async () => {
  const { folder, file, run } = await reader()
  await file('login-form.ts', '')
  await file('zebra.md', '')
  const result = await run({ file_path: 'login_form.tsx' })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toBe(`There is no file ${folder}/login_form.tsx. Is it one of these? ${folder}/login-form.ts`)
})

it('says of a folder that it is one, and of a missing folder that it is missing', async () => {
  const { folder, run } = await reader()
  await mkdir(join(folder, 'src'))
  expect(textOf(await run({ file_path: 'src' }))).toMatch(/src is a folder/)
  expect(textOf(await run({ file_path: 'no/such/file.ts' }))).toMatch(/A folder on its path does not exist/)
})

it('refuses binary files and devices', async () => {
  const { file, run } = await reader()
  await file('a.bin', Buffer.from([1, 0, 2, 0, 0, 3, 255, 254]))
  expect(textOf(await run({ file_path: 'a.bin' }))).toMatch(/a\.bin is a binary file of 8 bytes/)
  await file('b.bin', Buffer.from(Array.from({ length: 500 }, (_, index) => (index % 7) + 1)))
  expect(textOf(await run({ file_path: 'b.bin' }))).toMatch(/binary/)
  expect(textOf(await run({ file_path: '/dev/zero' }))).toMatch(/not a regular file/)
})

it.skipIf(process.platform === 'win32')('does not wait at a pipe', async () => {
  const { folder, run } = await reader()
  execFileSync('mkfifo', [join(folder, 'pipe')])
  expect(textOf(await run({ file_path: 'pipe' }))).toMatch(/not a regular file/)
})

it('follows links, and says of one that leads nowhere what it is', async () => {
  const { folder, file, run, text } = await reader()
  await file('a.txt', 'here')
  await symlink('a.txt', join(folder, 'link.txt'))
  await symlink('nowhere', join(folder, 'broken.txt'))
  expect(await text({ file_path: 'link.txt' })).toBe('     1\there')
  expect(textOf(await run({ file_path: 'broken.txt' }))).toMatch(/broken\.txt: It is a link that leads nowhere/)
})

it('reads the end of a file of 60 MB', async () => {
  const { file, text } = await reader()
  await file('big.log', Buffer.alloc(60 * 1024 * 1024, 'a line of a log, 32 bytes long..\n'))
  const end = await text({ file_path: 'big.log', offset: 1_900_000, limit: 1 })
  expect(end).toMatch(/^1900000\ta line of a log/)
})

it('says in one line what it does, and shows people the size of what came', async () => {
  const { read, run, file } = await reader()
  await file('a.txt', 'one\ntwo')
  const input = read.schema.parse({ file_path: 'a.txt', offset: 2, limit: 5 })
  expect(read.title(input)).toBe('Read a.txt from line 2 to 6')
  expect(read.show(input, await run({ file_path: 'a.txt' }))).toBe('2 lines')
  expect(read.isReadOnly(input) && read.isConcurrencySafe(input)).toBe(true)
})
