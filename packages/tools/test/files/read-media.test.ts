import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { fileTools, textOf } from '../../src/index.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { toolContext } from '../support/tool-context.js'
import { pdfOf } from './pdf-of.js'

async function readFile(name: string, content: string | Buffer, part: object = {}) {
  const folder = await temporaryFolder()
  await writeFile(join(folder, name), content)
  const { read } = fileTools()
  return read.run(read.schema.parse({ file_path: name, ...part }), toolContext(folder))
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}

function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc(9)))])
}

it('shows an image by what it is, whatever it is called', async () => {
  const bytes = png(3, 2)
  const { content, isError } = await readFile('photo.txt', bytes)
  expect(isError).toBeUndefined()
  expect(content).toEqual([
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: bytes.toString('base64') } },
  ])
})

it('refuses an image that is too large, with its size', async () => {
  const wide = await readFile('a.png', png(9_000, 10))
  expect(textOf(wide)).toMatch(/9000 by 10 pixels.*Make a smaller copy/)
  const heavy = await readFile('b.png', Buffer.concat([png(10, 10), Buffer.alloc(4_000_000)]))
  expect(heavy.isError).toBe(true)
  expect(textOf(heavy)).toMatch(/4000\d+ bytes/)
})

it('gives the text of a PDF page by page', async () => {
  const document = pdfOf(['Hello from the first page', 'And from the second'])
  expect(textOf(await readFile('a.pdf', document))).toBe(
    '--- page 1 of 2 ---\nHello from the first page\n\n--- page 2 of 2 ---\nAnd from the second',
  )
  expect(textOf(await readFile('a.pdf', document, { pages: '2' }))).toBe('--- page 2 of 2 ---\nAnd from the second')
  expect(textOf(await readFile('a.pdf', document, { pages: '1-1' }))).toMatch(/Pages 1 to 1 of 2/)
  expect(textOf(await readFile('a.pdf', document, { pages: '3' }))).toMatch(/has 2 pages: there is no page 3/)
})

it('says of a PDF that is broken that it is', async () => {
  const result = await readFile('a.pdf', '%PDF-1.4\nnothing of the kind')
  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(/a\.pdf could not be read as a PDF/)
})

const notebook = JSON.stringify({
  cells: [
    { cell_type: 'markdown', id: 'intro', source: ['# Title\n', 'Words'] },
    {
      cell_type: 'code',
      source: 'print(1)\nplot()',
      outputs: [
        { output_type: 'stream', text: ['1\n'] },
        { output_type: 'display_data', data: { 'image/png': 'aGVsbG8=\n', 'text/plain': '<Figure>' } },
        { output_type: 'error', ename: 'ValueError', evalue: 'no' },
      ],
    },
  ],
})

it('shows the cells of a notebook with their outputs and images', async () => {
  const result = await readFile('a.ipynb', notebook)
  expect(textOf(result)).toBe(
    [
      '<cell number="1" type="markdown" id="intro">\n# Title\nWords\n</cell>',
      '<cell number="2" type="code">\nprint(1)\nplot()\n<output>\n1\n</output>\n<output>\n<Figure>\n</output>\n' +
        '<output>\nValueError: no\n</output>\n</cell>',
    ].join('\n'),
  )
  expect(result.content[2]).toEqual({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' },
  })
})

it('reads a notebook as lines when lines are asked for, or when it is none', async () => {
  expect(textOf(await readFile('a.ipynb', notebook, { limit: 1 }))).toMatch(/^ {5}1\t\{"cells"/)
  expect(textOf(await readFile('a.ipynb', 'not json'))).toBe('     1\tnot json')
})
