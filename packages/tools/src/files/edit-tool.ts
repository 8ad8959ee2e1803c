import { z } from 'zod'
import { defineTool, type ShownTool } from '../define-tool.js'
import { applyEdit } from './apply-edit.js'
import { changeFile } from './change-file.js'
import type { FileToolParts } from './file-tool-parts.js'
import { mayWrite } from './may-write.js'
import { shownPatch } from './shown-patch.js'
import { told } from './told.js'

const DESCRIPTION = `Replaces a piece of text in a file by another one.
- The file has to be read first, and must not have changed since.
- old_string has to be in the file exactly as given, white space included and line numbers left out, and only once. Give more of the lines around it where it is not unique, or set replace_all.`

export const edit = z.object({
  old_string: z.string().describe('The text to replace.'),
  new_string: z.string().describe('The text to put in its place.'),
  replace_all: z.boolean().default(false).describe('Replace every place where it is.'),
})

const input = edit.extend({
  file_path: z.string().min(1).describe('The file: an absolute path, or one from the working directory.'),
})

export type EditInput = z.output<typeof input>

/** Replaces an exact piece of a file. */
export function editTool(parts: FileToolParts): ShownTool<EditInput> {
  return defineTool({
    name: 'Edit',
    description: DESCRIPTION,
    input,
    traits: { isCompactable: true },
    check: ({ file_path }) => mayWrite(file_path),
    title: ({ file_path }) => `Edit ${file_path}`,
    show: (_input, result) => shownPatch(parts.patches, result),
    run: ({ file_path, ...asked }, context) =>
      told(file_path, context.signal, () => changeFile(parts, file_path, context, (text) => applyEdit(text, asked))),
  })
}
