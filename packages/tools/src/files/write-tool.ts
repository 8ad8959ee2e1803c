import type { ToolContext, ToolResult } from '@nacre/core'
import { z } from 'zod'
import { defineTool, type ShownTool, textResult } from '../define-tool.js'
import { countLines } from './count-lines.js'
import { describeChange } from './describe-change.js'
import { type FileBytes, fileBytes } from './file-bytes.js'
import { fileHash } from './file-hash.js'
import { atPlace } from './file-place.js'
import type { FileToolParts } from './file-tool-parts.js'
import { commonEnd, toLf, withEnds } from './line-ends.js'
import { mayWrite } from './may-write.js'
import { mustBeSeen } from './must-be-seen.js'
import { shownPatch } from './shown-patch.js'
import { decodeText, encodeText, type TextFile } from './text-file.js'
import { told } from './told.js'
import { writeAtomically } from './write-atomically.js'

const DESCRIPTION = `Writes a file whole: a new one, with the folders that it needs, or another content for one that exists.
- A file that exists has to be read first, and must not have changed since. To change a part of it use Edit.
- The encoding and the line ends of a file that exists are kept.`

const input = z.object({
  file_path: z.string().min(1).describe('The file: an absolute path, or one from the working directory.'),
  content: z.string().describe('What the file will have in it.'),
})

export type WriteInput = z.output<typeof input>

/** Makes files, and replaces them whole. */
export function writeTool(parts: FileToolParts): ShownTool<WriteInput> {
  const { guard, sightings, patches } = parts
  return defineTool({
    name: 'Write',
    description: DESCRIPTION,
    input,
    traits: { isCompactable: true },
    check: ({ file_path }) => mayWrite(file_path),
    title: ({ file_path }) => `Write ${file_path}`,
    show: (_input, result) => shownPatch(patches, result),
    run: (asked, context) => told(asked.file_path, context.signal, () => write(asked, context)),
  })

  async function write({ file_path, content }: WriteInput, context: ToolContext): Promise<ToolResult> {
    return atPlace(file_path, context, { guard, isMade: true }, async (place) => {
      const { path } = place
      const found = await fileBytes(place, context.signal)
      if (found) mustBeSeen(sightings, { path, hash: fileHash(found.bytes), stats: found.stats }, context)
      const before = textIn(found)
      const file = before ? inFormatOf(before, content) : NEW(content)
      const bytes = encodeText(file)
      const stats = await writeAtomically(place, bytes, found?.stats, context.signal)
      await sightings.add(path, { hash: fileHash(bytes), changed: stats.mtimeMs, shown: '' }, context)
      const { snippet, patch } = describeChange(path, toLf(before?.text ?? ''), toLf(file.text))
      const isChange = found !== undefined && snippet !== ''
      const said = found ? `Wrote ${path} anew` : `Made ${path}`
      const lines = toLf(content).split('\n').length - (content.endsWith('\n') ? 1 : 0)
      const result = textResult(`${said}: ${countLines(lines)}.${isChange ? ` What is new:\n${snippet}` : ''}`)
      for (const block of result.content) patches.set(block, patch)
      return result
    })
  }
}

/** A file that is empty or no text has no format to keep. */
function textIn(found: FileBytes | undefined): TextFile | undefined {
  return found && found.bytes.length > 0 ? decodeText(found.bytes) : undefined
}

const NEW = (text: string): TextFile => ({ text, format: { encoding: 'utf8', hasMark: false } })

/** Line ends that are given as `\r\n` are meant so; the others become those of the file. */
function inFormatOf({ text: old, format }: TextFile, content: string): TextFile {
  const plain = format.hasMark ? content.replace(/^\uFEFF/, '') : content
  const text = plain.includes('\r\n') ? plain : withEnds(old, plain, commonEnd(old))
  return { text, format }
}
