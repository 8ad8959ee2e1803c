import { afterSpace, elementsAt, type Member, membersAt, type Span } from './json-spans.js'

type CellType = 'code' | 'markdown' | 'raw'

/** A change of one cell. `number` counts from 1, as Read shows it; an insert comes behind it, and without it first. */
export type CellChange =
  | { readonly mode: 'replace'; readonly cell: CellName; readonly source: string; readonly type?: CellType | undefined }
  | { readonly mode: 'insert'; readonly cell?: CellName | undefined; readonly source: string; readonly type: CellType }
  | { readonly mode: 'delete'; readonly cell: CellName }

interface CellName {
  readonly id?: string | undefined
  readonly number?: number | undefined
}

export interface ChangedNotebook {
  readonly text: string
  /** What was done, for the model. */
  readonly said: string
}

/**
 * Changes one cell in the text of a notebook, and not a character of what is not meant: other cells, unknown fields, the
 * order of keys and the indentation stay as they are. Throws, with words for the model, what speaks against it.
 */
export function changeNotebook(text: string, change: CellChange, newId: () => string): ChangedNotebook {
  const notebook = readNotebook(text)
  if (change.mode === 'insert') return insertCell(notebook, change, newId)
  const index = indexOf(notebook, change.cell)
  return change.mode === 'delete' ? deleteCell(notebook, index) : replaceCell(notebook, index, change)
}

interface Notebook {
  readonly text: string
  /** The list of cells, and each of them. */
  readonly list: Span
  readonly cells: readonly NotebookCell[]
  /** From 4.5 on a cell has an id. */
  readonly hasIds: boolean
  readonly layout: Layout
}

interface NotebookCell extends Span {
  readonly members: readonly Member[]
  readonly id?: string
  readonly type: string
}

/** How the file is laid out; without lines of its own for cells it is `undefined`. */
type Layout = { readonly end: string; readonly step: string; readonly indent: string } | undefined

function readNotebook(text: string): Notebook {
  const parsed = parse(text)
  const { nbformat, nbformat_minor } = parsed
  if (nbformat !== 4) {
    const named = typeof nbformat === 'number' ? `of format ${nbformat}` : 'of no known format'
    throw new Error(
      `The notebook is ${named}, and only those of format 4 can be edited. Convert it first: jupyter nbconvert --to notebook --inplace`,
    )
  }
  const start = afterSpace(text, 0)
  const found = membersAt(text, start).findLast(({ key }) => key === 'cells')
  if (!found || text[found.value] !== '[') throw new Error('The notebook has no list of cells.')
  const list = { start: found.value, end: found.end }
  const cells = elementsAt(text, list.start).map((span) => cellAt(text, span))
  const hasIds = typeof nbformat_minor === 'number' && nbformat_minor >= 5
  return { text, list, cells, hasIds, layout: layoutOf(text, start, cells) }
}

function parse(text: string): { readonly nbformat?: unknown; readonly nbformat_minor?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch (error) {
    throw new Error(`The notebook is no JSON (${(error as Error).message}). Mend it with Edit first.`)
  }
}

function cellAt(text: string, span: Span): NotebookCell {
  const members = text[span.start] === '{' ? membersAt(text, span.start) : []
  const word = (name: string) => {
    const found = members.findLast(({ key }) => key === name)
    const value: unknown = found && JSON.parse(text.slice(found.value, found.end))
    return typeof value === 'string' ? value : undefined
  }
  const id = word('id')
  return { ...span, members, type: word('cell_type') ?? 'code', ...(id !== undefined && { id }) }
}

/** By the first cell, or without one by the first member of the file. */
function layoutOf(text: string, start: number, cells: readonly NotebookCell[]): Layout {
  const [first] = cells
  const top = lineStart(text, afterSpace(text, start + 1))
  if (top === undefined) return undefined
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const indent = first ? lineStart(text, first.start) : top + top
  if (indent === undefined) return undefined
  const member = first?.members[0] ? lineStart(text, first.members[0].start) : undefined
  return { end, indent, step: member?.startsWith(indent) ? member.slice(indent.length) : top }
}

/** The white space with which a line begins; `undefined` where something else stands before the place. */
function lineStart(text: string, at: number): string | undefined {
  const newline = text.lastIndexOf('\n', at - 1)
  const before = text.slice(newline + 1, at)
  return newline >= 0 && before.trim() === '' ? before : undefined
}

function indexOf({ cells }: Notebook, { id, number }: CellName): number {
  if (cells.length === 0) throw new Error('The notebook has no cells. Insert one with edit_mode "insert".')
  const all = cells.length === 1 ? 'There is 1 cell' : `There are ${cells.length} cells`
  if (number !== undefined && !cells[number - 1]) throw new Error(`There is no cell number ${number}. ${all}.`)
  if (id === undefined) {
    if (number === undefined)
      throw new Error(`Which cell? ${all}: give its cell_id or its cell_number, as Read shows them.`)
    return number - 1
  }
  const named = cells.flatMap((cell, index) => (cell.id === id ? [index] : []))
  const [first] = number === undefined ? named : named.filter((index) => index === number - 1)
  if (named.length > 1 && number === undefined) {
    const numbers = named.map((index) => index + 1).join(', ')
    throw new Error(`${named.length} cells have the id '${id}', numbers ${numbers}. Give the cell_number too.`)
  }
  if (first !== undefined) return first
  if (named.length > 0) throw new Error(`The cell '${id}' is number ${(named[0] ?? 0) + 1}, not ${number}.`)
  const known = cells.flatMap((cell) => cell.id ?? []).slice(0, 20)
  const hint =
    known.length > 0 ? ` Known: ${known.join(', ')}.` : ' The cells of this notebook have none: give the cell_number.'
  throw new Error(`There is no cell with the id '${id}'.${hint}`)
}

function nameOf({ id }: { readonly id?: string | undefined }, index: number): string {
  return `cell ${index + 1}${id === undefined ? '' : ` (id ${id})`}`
}

function replaceCell(
  notebook: Notebook,
  index: number,
  change: Extract<CellChange, { mode: 'replace' }>,
): ChangedNotebook {
  const { text } = notebook
  const cell = notebook.cells[index] as NotebookCell
  const type = change.type ?? cell.type
  const source = cell.members.findLast(({ key }) => key === 'source')
  const before: unknown = source && JSON.parse(text.slice(source.value, source.end))
  if (joined(before) === change.source && type === cell.type) {
    throw new Error(`The ${nameOf(cell, index)} has that source already: nothing would change.`)
  }
  const lines = typeof before === 'string' ? change.source : linesOf(change.source)
  const values = new Map<string, unknown>([['source', lines]])
  if (type !== cell.type) values.set('cell_type', type)
  // What a code cell has put out came of what it was before.
  const isCode = type === 'code'
  values.set('execution_count', isCode ? null : undefined)
  values.set('outputs', isCode ? [] : undefined)
  const hadOutputs = cell.type === 'code' && !isEmptyList(text, cell, 'outputs')
  const changed = rewritten(notebook, cell, values)
  return {
    text: text.slice(0, cell.start) + changed + text.slice(cell.end),
    said: `Replaced the source of ${nameOf(cell, index)}${hadOutputs ? ' and cleared its outputs' : ''}`,
  }
}

function isEmptyList(text: string, { members }: NotebookCell, name: string): boolean {
  const found = members.findLast(({ key }) => key === name)
  return !found || elementsAt(text, found.value).length === 0
}

/** A cell with other values of some members; `undefined` takes one out. The others stay to the character. */
function rewritten({ text, layout }: Notebook, cell: NotebookCell, values: ReadonlyMap<string, unknown>): string {
  const { members } = cell
  const [first, second] = members
  const open = text.slice(cell.start + 1, first?.start ?? cell.end - 1)
  const close = text.slice(members.at(-1)?.end ?? cell.end - 1, cell.end - 1)
  const between = first && second ? text.slice(first.end, second.start) : `,${open}`
  const inner = layout && { ...layout, indent: layout.indent + layout.step }
  const written = (value: unknown) => format(value, inner)
  const kept = members.flatMap((member): { key: string; text: string }[] => {
    if (!values.has(member.key)) return [{ key: member.key, text: text.slice(member.start, member.end) }]
    const value = values.get(member.key)
    return value === undefined
      ? []
      : [{ key: member.key, text: text.slice(member.start, member.value) + written(value) }]
  })
  for (const [key, value] of values) {
    if (value === undefined || members.some((member) => member.key === key)) continue
    // Those who write notebooks sort the keys.
    const place = kept.findIndex((member) => member.key > key)
    const made = { key, text: `${JSON.stringify(key)}: ${written(value)}` }
    kept.splice(place < 0 ? kept.length : place, 0, made)
  }
  return `{${open}${kept.map((member) => member.text).join(between)}${close}}`
}

function insertCell(
  notebook: Notebook,
  { cell, source, type }: Extract<CellChange, { mode: 'insert' }>,
  newId: () => string,
): ChangedNotebook {
  const { text, cells, layout, list, hasIds } = notebook
  const index = cell?.id === undefined && cell?.number === undefined ? 0 : indexOf(notebook, cell) + 1
  const id = hasIds ? freshId(cells, newId) : undefined
  const made = format(
    {
      cell_type: type,
      ...(type === 'code' && { execution_count: null }),
      ...(id !== undefined && { id }),
      metadata: {},
      ...(type === 'code' && { outputs: [] }),
      source: linesOf(source),
    },
    layout,
  )
  const said = `Inserted ${nameOf({ id }, index)}`
  const [first] = cells
  if (!first) {
    const [open, close] = layout
      ? [layout.end + layout.indent, layout.end + layout.indent.slice(layout.step.length)]
      : ['', '']
    return { text: `${text.slice(0, list.start)}[${open}${made}${close}]${text.slice(list.end)}`, said }
  }
  const gap = text.slice(list.start + 1, first.start)
  const before = cells[index - 1]
  if (before) return { text: `${text.slice(0, before.end)},${gap}${made}${text.slice(before.end)}`, said }
  return { text: `${text.slice(0, first.start)}${made},${gap}${text.slice(first.start)}`, said }
}

const TRIES = 100

function freshId(cells: readonly NotebookCell[], newId: () => string): string {
  for (let tries = 0; tries < TRIES; tries++) {
    const id = newId()
    if (!cells.some((cell) => cell.id === id)) return id
  }
  throw new Error('No id could be found that is free in this notebook.')
}

function deleteCell({ text, cells, list }: Notebook, index: number): ChangedNotebook {
  const cell = cells[index] as NotebookCell
  const [before, after] = [cells[index - 1], cells[index + 1]]
  const [from, to] = after
    ? [cell.start, after.start]
    : before
      ? [before.end, cell.end]
      : [list.start + 1, list.end - 1]
  return { text: text.slice(0, from) + text.slice(to), said: `Deleted ${nameOf(cell, index)}` }
}

function joined(source: unknown): string {
  return typeof source === 'string' ? source : Array.isArray(source) ? source.join('') : ''
}

/** Lines with their ends, as notebooks keep them. */
function linesOf(source: string): readonly string[] {
  return source.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** A value as the file would have it at that indentation. */
function format(value: unknown, layout: Layout): string {
  if (!layout) return JSON.stringify(value)
  return JSON.stringify(value, null, layout.step || ' ').replaceAll('\n', layout.end + layout.indent)
}
