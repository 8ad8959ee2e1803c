import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { defineTool, type ShownTool } from '../define-tool.js'
import { changeFile, mayWrite, shownPatch } from './edit-tools.js'
import { type CellChange, changeNotebook } from './notebook.js'
import type { FileToolContext } from './sightings.js'

const DESCRIPTION = `Changes one cell of a Jupyter notebook (.ipynb): replaces its source, inserts a new cell, or deletes one.
- The notebook has to be read first, and must not have changed since. Read shows the id and the number of each cell.
- A code cell that is replaced loses its outputs. An insert comes behind the cell that is named; without one it comes first.`

const notebookInput = z.object({
  notebook_path: z.string().min(1).describe('The notebook: an absolute path, or one from the working directory.'),
  edit_mode: z.enum(['replace', 'insert', 'delete']).default('replace').describe('What to do with the cell.'),
  cell_id: z.string().min(1).optional().describe('The cell by its id.'),
  cell_number: z.int().min(1).optional().describe('The cell by its number, counted from 1. It changes with an insert.'),
  new_source: z.string().optional().describe('The source of the cell; not for a delete.'),
  cell_type: z
    .enum(['code', 'markdown', 'raw'])
    .optional()
    .describe('For an insert code unless told; for a replace as it was.'),
})

export type NotebookEditInput = z.output<typeof notebookInput>

/** Changes cells of notebooks. */
export function notebookEditTool(tools: FileToolContext): ShownTool<NotebookEditInput> {
  return defineTool({
    name: 'NotebookEdit',
    description: DESCRIPTION,
    input: notebookInput,
    check: ({ notebook_path }) => mayWrite(notebook_path),
    title: ({ notebook_path, edit_mode, cell_id, cell_number }) => {
      const name = cell_id ?? (cell_number === undefined ? '' : String(cell_number))
      const what = { replace: 'Edit cell', insert: 'Insert a cell behind', delete: 'Delete cell' }[edit_mode]
      return name === '' ? `Insert a cell into ${notebook_path}` : `${what} ${name} of ${notebook_path}`
    },
    show: (_input, result) => shownPatch(tools.patches, result),
    run: (input, context) => {
      const change = changeOf(input)
      return changeFile(tools, input.notebook_path, context, (text) => changeNotebook(text, change, newId))
    },
  })
}

/** As the format wants it: letters, digits, `-` and `_`. */
function newId(): string {
  return randomBytes(4).toString('hex')
}

function changeOf({
  notebook_path,
  edit_mode,
  cell_id,
  cell_number,
  new_source,
  cell_type,
}: NotebookEditInput): CellChange {
  if (!notebook_path.toLowerCase().endsWith('.ipynb')) {
    throw new Error(`${notebook_path} is no notebook: its name does not end in .ipynb. Use Edit.`)
  }
  const cell = { id: cell_id, number: cell_number }
  if (edit_mode === 'delete') return { mode: 'delete', cell }
  if (new_source === undefined) throw new Error(`new_source is missing: give the source of the cell to ${edit_mode}.`)
  if (edit_mode === 'insert') return { mode: 'insert', cell, source: new_source, type: cell_type ?? 'code' }
  return { mode: 'replace', cell, source: new_source, type: cell_type }
}
