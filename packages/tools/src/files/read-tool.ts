import type { ToolContext, ToolResult } from '@nacre/core'
import { z } from 'zod'
import { defineTool, type ShownTool, textOf, textResult } from '../define-tool.js'
import { fileBytes } from './file-bytes.js'
import { fileHash } from './file-hash.js'
import { atPlace } from './file-place.js'
import type { FileToolParts } from './file-tool-parts.js'
import { nearNames } from './near-names.js'
import { shownContent } from './shown-content.js'
import { told } from './told.js'

const DESCRIPTION = `Reads a file and gives its lines with their numbers.
- Without offset and limit it gives up to 2,000 lines from the start. Lines of more than 2,000 characters are cut, and say so.
- It shows images, the text of PDF documents page by page, and the cells of notebooks with their outputs.
- A file has to be read before it can be changed. When a file has not changed since, reading it again says just that.`

const input = z.object({
  file_path: z.string().min(1).describe('The file: an absolute path, or one from the working directory.'),
  offset: z.number().int().min(1).optional().describe('The first line to read, counted from 1.'),
  limit: z.number().int().min(1).optional().describe('How many lines to read.'),
  pages: z
    .string()
    .regex(/^[1-9]\d*(-[1-9]\d*)?$/)
    .optional()
    .describe('For a PDF: a page or a range, such as 3 or 1-5. At most 20 at once.'),
})

export type ReadInput = z.output<typeof input>

/** Shows files to the model. */
export function readTool({ guard, sightings }: FileToolParts): ShownTool<ReadInput> {
  return defineTool({
    name: 'Read',
    description: DESCRIPTION,
    input,
    traits: { isReadOnly: true, isCompactable: true, maxResultChars: Number.POSITIVE_INFINITY },
    title: ({ file_path, offset, limit, pages }) => {
      if (pages !== undefined) return `Read ${file_path}, pages ${pages}`
      if (offset === undefined && limit === undefined) return `Read ${file_path}`
      const first = offset ?? 1
      return `Read ${file_path} from line ${first}${limit === undefined ? '' : ` to ${first + limit - 1}`}`
    },
    show: (_input, result) => summary(result),
    run: (asked, context) => told(asked.file_path, context.signal, () => read(asked, context)),
  })

  async function read(asked: ReadInput, context: ToolContext): Promise<ToolResult> {
    const { file_path, ...part } = asked
    return atPlace(file_path, context, { guard }, async (place) => {
      const { path, folder, name } = place
      const found = await fileBytes(place, context.signal)
      if (!found) throw new Error(`There is no file ${path}.${await nearNames(folder, name)}`)
      const hash = fileHash(found.bytes)
      const shown = JSON.stringify(part)
      const before = sightings.of(path, context).find((each) => each.hash === hash && each.shown === shown)
      if (before) return textResult(unchanged(path))
      const content = await shownContent(path, found.bytes, part)
      await sightings.add(path, { hash, changed: found.stats.mtimeMs, shown }, context)
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
