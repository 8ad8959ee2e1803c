import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { array, assert, asyncProperty, boolean, constantFrom, integer, record, uniqueArray } from 'fast-check'
import iconv from 'iconv-lite'
import { expect, it } from 'vitest'
import { fileTools } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'

interface Line {
  readonly text: string
  readonly end: string
}

const ENCODINGS = [
  { name: 'utf8', mark: [] },
  { name: 'utf8', mark: [0xef, 0xbb, 0xbf] },
  { name: 'utf16le', mark: [0xff, 0xfe] },
  { name: 'utf16be', mark: [0xfe, 0xff] },
  { name: 'latin1', mark: [] },
] as const

const words = uniqueArray(integer({ min: 0, max: 999 }), { minLength: 3, maxLength: 12 }).map((numbers) =>
  numbers.map((number) => `zeile ${number} für ä`),
)
const files = record({
  words,
  ends: array(constantFrom('\n', '\r\n'), { minLength: 12, maxLength: 12 }),
  isUniform: boolean(),
  hasLastEnd: boolean(),
  encoding: constantFrom(...ENCODINGS),
  from: integer({ min: 0, max: 11 }),
  count: integer({ min: 1, max: 3 }),
  added: integer({ min: 0, max: 3 }),
  whole: boolean(),
})

const joined = (lines: readonly Line[]) => lines.map(({ text, end }) => text + end).join('')

function common(lines: readonly Line[]): string {
  const wide = lines.filter(({ end }) => end === '\r\n').length
  return wide > lines.filter(({ end }) => end === '\n').length ? '\r\n' : '\n'
}

it('keeps line ends, marks, encodings and a missing last newline of all that it does not touch', async () => {
  const folder = await temporaryFolder()
  const path = join(folder, 'a.txt')
  const property = asyncProperty(files, async (made) => {
    const { encoding, from, count, added, whole } = made
    const ends = made.isUniform ? made.ends.map(() => made.ends[0] ?? '\n') : made.ends
    const lines = made.words.map((text, index): Line => {
      const isLast = index === made.words.length - 1
      return { text, end: isLast && !made.hasLastEnd ? '' : (ends[index] ?? '\n') }
    })
    const bytes = (all: readonly Line[]) =>
      Buffer.concat([Buffer.from(encoding.mark), iconv.encode(joined(all), encoding.name, { addBOM: false })])
    await writeFile(path, bytes(lines))

    // Lines are taken out and others put in their place; both ends of the piece are lines that stay.
    const start = Math.min(from, lines.length - 2)
    const end = Math.min(start + count, lines.length - 1)
    const fresh = Array.from({ length: added }, (_, index): Line => ({ text: `neu ${index}`, end: common(lines) }))
    const after = [...lines.slice(0, start + 1), ...fresh, ...lines.slice(end)]
    const plain = (all: readonly Line[]) => joined(all).replaceAll('\r\n', '\n')
    const piece = (all: readonly Line[], last: number) => plain(all.slice(start, last)) + (all[last]?.text ?? '')

    const { read, write, edit } = fileTools()
    await read.run(read.schema.parse({ file_path: path }), toolContext(folder))
    const change = { old_string: piece(lines, end), new_string: piece(after, start + 1 + added), replace_all: false }
    const result = whole
      ? await write.run({ file_path: path, content: plain(after) }, toolContext(folder))
      : await edit.run({ file_path: path, ...change }, toolContext(folder))
    const isNoChange = !whole && change.old_string === change.new_string
    expect(result.isError).toBe(isNoChange ? true : undefined)
    expect(await readFile(path)).toEqual(bytes(after))
  })
  await assert(property, { seed: 20_261_116, numRuns: 300 })
})

it('writes a long file with mixed ends anew without comparing every line with every other', async () => {
  const folder = await temporaryFolder()
  const { read, write } = fileTools()
  const path = join(folder, 'a.txt')
  const lines = (word: string) => Array.from({ length: 8_000 }, (_, index) => `${word} ${index}\n`).join('')
  await writeFile(path, `first\r\n${lines('old')}`)
  await read.run(read.schema.parse({ file_path: path, limit: 1 }), toolContext(folder))
  const result = await write.run(write.schema.parse({ file_path: path, content: lines('new') }), toolContext(folder))
  expect(result.isError).toBeUndefined()
  expect(await readFile(path, 'utf8')).toBe(lines('new'))
})
