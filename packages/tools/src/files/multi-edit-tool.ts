import { z } from 'zod'
import { defineTool, type ShownTool } from '../define-tool.js'
import { applyEdit, type TextEdit } from './apply-edit.js'
import { changeFile } from './change-file.js'
import { edit } from './edit-tool.js'
import type { FileToolParts } from './file-tool-parts.js'
import { mayWrite } from './may-write.js'
import { shownPatch } from './shown-patch.js'
import { told } from './told.js'

const DESCRIPTION = `Replaces several pieces of text in one file: all of them, or none.
- The edits are made in order, each in what the one before has left. Each follows the rules of Edit.
- The file has to be read first, and must not have changed since.`

const input = z.object({
  file_path: z.string().min(1).describe('The file: an absolute path, or one from the working directory.'),
  edits: z.array(edit).min(1).describe('The edits, in order.'),
})

export type MultiEditInput = z.output<typeof input>

/** Makes several exact replacements in one file, all or none. */
export function multiEditTool(parts: FileToolParts): ShownTool<MultiEditInput> {
  return defineTool({
    name: 'MultiEdit',
    description: DESCRIPTION,
    input,
    traits: { isCompactable: true },
    check: ({ file_path }) => mayWrite(file_path),
    title: ({ file_path, edits }) => `Edit ${file_path} at ${edits.length} places`,
    show: (_input, result) => shownPatch(parts.patches, result),
    run: ({ file_path, edits }, context) =>
      told(file_path, context.signal, () => changeFile(parts, file_path, context, (text) => applyAll(text, edits))),
  })
}

function applyAll(text: string, edits: readonly TextEdit[]): string {
  return edits.reduce((current, each, index) => {
    try {
      return applyEdit(current, each)
    } catch (error) {
      const which = `Edit ${index + 1} of ${edits.length} can not be made, so none was.`
      throw new Error(`${which} ${(error as Error).message}`)
    }
  }, text)
}
