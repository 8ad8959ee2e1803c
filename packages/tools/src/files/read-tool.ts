import { normalize } from 'node:path'
import type { Block, ToolContext, ToolResult } from '@nacre/core'
import { imageSize } from 'image-size'
import { z } from 'zod'
import { defineTool, type ShownTool, textOf, textResult } from '../define-tool.js'
import { pdfPages } from '../pdf.js'
import { atPlace, fileBytes, filePath } from './file-access.js'
import { nearNames } from './nearest.js'
import type { FileToolContext } from './sightings.js'
import { decodeText, fileHash, formatLines, markOf, numbered, textFormat } from './text-file.js'

const DESCRIPTION = `Reads a file and gives its lines with their numbers.
- Without offset and limit it gives up to 2,000 lines from the start. Lines of more than 2,000 characters are cut, and say so.
- It shows images, the text of PDF documents page by page, and the cells of notebooks with their outputs.
- A file has to be read before it can be changed. When a file has not changed since, reading it again says just that.`

const readInput = z.object({
  file_path: filePath,
  offset: z.number().int().min(1).optional().describe('The first line to read, counted from 1.'),
  limit: z.number().int().min(1).optional().describe('How many lines to read.'),
  pages: z
    .string()
    .regex(/^[1-9]\d*(-[1-9]\d*)?$/)
    .optional()
    .describe('For a PDF: a page or a range, such as 3 or 1-5. At most 20 at once.'),
})

export type ReadInput = z.output<typeof readInput>

/** The part of a file that is asked for. */
type Part = Omit<ReadInput, 'file_path'>

/** Shows files to the model. */
export function readTool({ guard, sightings }: FileToolContext): ShownTool<ReadInput> {
  return defineTool({
    name: 'Read',
    description: DESCRIPTION,
    input: readInput,
    traits: {
      isReadOnly: true,
      isCompactable: true,
      maxResultChars: Number.POSITIVE_INFINITY,
      reads: ({ file_path }) => normalize(file_path),
    },
    title: ({ file_path, offset, limit, pages }) => {
      if (pages !== undefined) return `Read ${file_path}, pages ${pages}`
      if (offset === undefined && limit === undefined) return `Read ${file_path}`
      const first = offset ?? 1
      return `Read ${file_path} from line ${first}${limit === undefined ? '' : ` to ${first + limit - 1}`}`
    },
    show: (_input, result) => summary(result),
    run: read,
  })

  async function read({ file_path, ...part }: ReadInput, context: ToolContext): Promise<ToolResult> {
    return atPlace(file_path, context, { guard }, async (place) => {
      const { path, folder, name } = place
      const found = await fileBytes(place, context.signal)
      if (!found) throw new Error(`There is no file ${path}.${await nearNames(folder, name)}`)
      const hash = fileHash(found.bytes)
      const shown = JSON.stringify(part)
      const before = sightings.of(path, context).find((each) => each.hash === hash && each.shown === shown)
      if (before) return textResult(unchanged(path))
      const content = await shownContent(path, found.bytes, part)
      await sightings.add({ path, hash, changed: found.stats.mtimeMs, shown }, context)
      return { content }
    })
  }
}

function unchanged(path: string): string {
  return `${path} is unchanged since you read it: the result of that earlier Read, above, still shows what it has now.`
}

function summary(result: ToolResult): string {
  if (result.isError) return textOf(result)
  if (result.content.some(({ type }) => type === 'image')) return 'An image'
  const lines = textOf(result).split('\n')
  return lines.length === 1 ? (lines[0] ?? '') : `${lines.length} lines`
}

/** A file as the model reads it, by what it holds and not by its name alone. */
async function shownContent(path: string, bytes: Buffer, part: Part): Promise<readonly Block[]> {
  if (bytes.length === 0) return [{ type: 'text', text: `${path} exists and is empty.` }]
  const image = showImage(path, bytes)
  if (image) return image
  if (isPdf(bytes)) return within(path, await showPdf(path, bytes, part.pages), 'pages')
  if (isNotebook(path, part)) {
    const cells = showNotebook(bytes)
    if (cells) return within(path, cells, 'offset and limit, which give its lines as they are on disk')
  }
  if (!textFormat(bytes)) {
    throw new Error(`${path} is a binary file of ${bytes.length} bytes, which can not be shown as text.`)
  }
  return [{ type: 'text', text: showText(path, bytes, part) }]
}

/** What a read may bring: more would crowd everything else out. */
const MOST_CHARACTERS = 100_000

function within(path: string, blocks: readonly Block[], by: string): readonly Block[] {
  const size = blocks.reduce((sum, block) => sum + (block.type === 'text' ? String(block.text).length : 0), 0)
  if (size <= MOST_CHARACTERS) return blocks
  throw new Error(`${path} has ${size} characters here, and at most ${MOST_CHARACTERS} can be read. Use ${by}.`)
}

const MOST_LINES = 2_000
const NEWLINE = 10

/** Lines of a text file with their numbers, and what there is besides them. */
function showText(path: string, bytes: Buffer, { offset = 1, limit = MOST_LINES }: Part): string {
  const { lines, total } = linesOf(utf8(bytes), offset, limit)
  if (lines.length === 0) throw new Error(`${path} has ${formatLines(total)}: there is no line ${offset}.`)
  const shown = numbered(lines, offset)
  if (shown.length > MOST_CHARACTERS) {
    const fitting = Math.max(1, Math.floor((lines.length * MOST_CHARACTERS * 0.9) / shown.length))
    throw new Error(
      `The ${formatLines(lines.length)} asked for of ${path} have ${shown.length} characters, and at most ${MOST_CHARACTERS} ` +
        `can be read at once. Use offset and limit: about ${fitting} lines fit. Or look for what you need with Grep.`,
    )
  }
  const last = offset + lines.length - 1
  if (last >= total) return shown
  return `${shown}\n(Lines ${offset} to ${last} of ${total}. The next are at offset ${last + 1}.)`
}

/** Most files are UTF-8 on disk: their lines are found without decoding all of them. */
function utf8(bytes: Buffer): Buffer {
  const format = textFormat(bytes)
  if (format?.encoding === 'utf8') return bytes.subarray(markOf(format).length)
  return Buffer.from(decodeText(bytes)?.text ?? '')
}

/** A newline at the end begins no other line. */
function linesOf(text: Buffer, first: number, limit: number): { readonly lines: string[]; readonly total: number } {
  const lines: string[] = []
  let total = 0
  for (let start = 0; start < text.length; total++) {
    const newline = text.indexOf(NEWLINE, start)
    const end = newline < 0 ? text.length : newline
    if (total + 1 >= first && lines.length < limit) lines.push(text.toString('utf8', start, end).replace(/\r$/, ''))
    start = end + 1
  }
  return { lines, total }
}

/** The kinds that models can look at, by what the file itself says it is. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}
const MOST_IMAGE_BYTES = 3_900_000
const MOST_PIXELS = 8_000

/** An image to look at; `undefined` when the bytes are none. Throws for one that is too large. */
function showImage(path: string, bytes: Buffer): readonly Block[] | undefined {
  const found = imageInfo(bytes)
  const type = IMAGE_TYPES[found?.type ?? '']
  if (!found || !type) return undefined
  const { width, height } = found
  if (bytes.length > MOST_IMAGE_BYTES || Math.max(width, height) > MOST_PIXELS) {
    throw new Error(
      `${path} is an image of ${width} by ${height} pixels and ${bytes.length} bytes; at most ${MOST_PIXELS} pixels a ` +
        `side and ${MOST_IMAGE_BYTES} bytes can be looked at. Make a smaller copy and read that.`,
    )
  }
  return [{ type: 'image', source: { type: 'base64', media_type: type, data: bytes.toString('base64') } }]
}

function imageInfo(
  bytes: Buffer,
): { readonly width: number; readonly height: number; readonly type?: string } | undefined {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}

const MOST_PAGES = 20
const MARK = '%PDF-'

function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1_024).includes(MARK)
}

/** The text of a document, page by page. */
async function showPdf(path: string, bytes: Buffer, pages: string | undefined): Promise<readonly Block[]> {
  const texts = await pdfPages(path, bytes)
  const total = texts.length
  const { first, last } = rangeOf(pages, total)
  if (first > total) throw new Error(`${path} has ${total} pages: there is no page ${first}.`)
  const shown = texts.slice(first - 1, last).map((text, index) => {
    return `--- page ${first + index} of ${total} ---\n${text.trim() || '(no text on this page)'}`
  })
  const end = Math.min(last, total)
  const rest = end < total ? [`(Pages ${first} to ${end} of ${total}. Use pages for the others.)`] : []
  return [{ type: 'text', text: [...shown, ...rest].join('\n\n') }]
}

function rangeOf(pages: string | undefined, total: number): { readonly first: number; readonly last: number } {
  if (pages === undefined) return { first: 1, last: Math.min(MOST_PAGES, total) }
  const [first = 1, last = first] = pages.split('-').map(Number)
  if (last < first) throw new Error(`The pages ${pages} end before they begin.`)
  return { first, last: Math.min(last, first + MOST_PAGES - 1) }
}

/** With lines asked for, a notebook is read as the file that it is. */
function isNotebook(path: string, { offset, limit }: Part): boolean {
  return path.toLowerCase().endsWith('.ipynb') && offset === undefined && limit === undefined
}

const MOST_OUTPUT = 10_000
const OUTPUT_IMAGES = ['image/png', 'image/jpeg'] as const

interface Cell {
  readonly cell_type?: string
  readonly id?: string
  readonly source?: NotebookText
  readonly outputs?: readonly Output[]
}

interface Output {
  readonly output_type?: string
  readonly text?: NotebookText
  readonly data?: Readonly<Record<string, NotebookText | undefined>>
  readonly ename?: string
  readonly evalue?: string
}

type NotebookText = string | readonly string[]

/** The cells of a notebook with what they have put out; `undefined` when it is not one. */
function showNotebook(bytes: Buffer): readonly Block[] | undefined {
  const cells = cellsOf(decodeText(bytes)?.text ?? '')
  if (!cells) return undefined
  if (cells.length === 0) return [text('The notebook has no cells.')]
  return cells.flatMap((cell, index) => [text(cellText(cell, index)), ...(cell.outputs ?? []).flatMap(imagesOf)])
}

function cellsOf(content: string): readonly Cell[] | undefined {
  try {
    const { cells } = JSON.parse(content) as { readonly cells?: unknown }
    return Array.isArray(cells) ? (cells as Cell[]) : undefined
  } catch {
    return undefined
  }
}

function cellText(cell: Cell, index: number): string {
  const name = cell.id === undefined ? '' : ` id="${cell.id}"`
  const head = `<cell number="${index + 1}" type="${cell.cell_type ?? 'code'}"${name}>`
  const outputs = (cell.outputs ?? []).map(outputText).filter((each) => each !== '')
  const shown = outputs.map((each) => `<output>\n${shortOutput(each)}\n</output>`)
  return [head, joined(cell.source), ...shown, '</cell>'].join('\n')
}

function outputText({ output_type, text: stream, data, ename, evalue }: Output): string {
  if (output_type === 'error') return `${ename}: ${evalue}`
  const plain = joined(stream ?? data?.['text/plain'])
  if (plain !== '') return plain.trimEnd()
  return OUTPUT_IMAGES.some((type) => data?.[type] !== undefined) ? '(an image)' : ''
}

function imagesOf({ data }: Output): readonly Block[] {
  return OUTPUT_IMAGES.flatMap((type) => {
    const image = joined(data?.[type]).replace(/\s+/g, '')
    if (image === '') return []
    const bytes = Math.floor((image.length * 3) / 4)
    if (bytes > MOST_IMAGE_BYTES) return [text(`(That image has ${bytes} bytes: it is too large to be looked at.)`)]
    return [{ type: 'image', source: { type: 'base64', media_type: type, data: image } }]
  })
}

function shortOutput(output: string): string {
  if (output.length <= MOST_OUTPUT) return output
  return `${output.slice(0, MOST_OUTPUT)}\n… [cut: ${output.length} characters in all]`
}

function joined(lines: NotebookText | undefined): string {
  return typeof lines === 'string' ? lines : (lines ?? []).join('')
}

function text(words: string): Block {
  return { type: 'text', text: words }
}
