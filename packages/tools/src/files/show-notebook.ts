import type { Block } from '@nacre/core'
import type { Part } from './part.js'
import { decodeText } from './text-file.js'

/** With lines asked for, a notebook is read as the file that it is. */
export function isNotebook(path: string, { offset, limit }: Part): boolean {
  return path.toLowerCase().endsWith('.ipynb') && offset === undefined && limit === undefined
}

const MOST_OUTPUT = 10_000
const IMAGES = ['image/png', 'image/jpeg'] as const

interface Cell {
  readonly cell_type?: string
  readonly id?: string
  readonly source?: Lines
  readonly outputs?: readonly Output[]
}

interface Output {
  readonly output_type?: string
  readonly text?: Lines
  readonly data?: Readonly<Record<string, Lines | undefined>>
  readonly ename?: string
  readonly evalue?: string
}

type Lines = string | readonly string[]

/** The cells of a notebook with what they have put out; `undefined` when it is not one. */
export function showNotebook(bytes: Buffer): readonly Block[] | undefined {
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
  const shown = outputs.map((each) => `<output>\n${shortened(each)}\n</output>`)
  return [head, joined(cell.source), ...shown, '</cell>'].join('\n')
}

function outputText({ output_type, text: stream, data, ename, evalue }: Output): string {
  if (output_type === 'error') return `${ename}: ${evalue}`
  const plain = joined(stream ?? data?.['text/plain'])
  if (plain !== '') return plain.trimEnd()
  return IMAGES.some((type) => data?.[type] !== undefined) ? '(an image)' : ''
}

function imagesOf({ data }: Output): readonly Block[] {
  return IMAGES.flatMap((type) => {
    const image = joined(data?.[type]).replace(/\s+/g, '')
    return image === '' ? [] : [{ type: 'image', source: { type: 'base64', media_type: type, data: image } }]
  })
}

function shortened(output: string): string {
  if (output.length <= MOST_OUTPUT) return output
  return `${output.slice(0, MOST_OUTPUT)}\n… [cut: ${output.length} characters in all]`
}

function joined(lines: Lines | undefined): string {
  return typeof lines === 'string' ? lines : (lines ?? []).join('')
}

function text(words: string): Block {
  return { type: 'text', text: words }
}
