import type { ToolContext, ToolResult } from '@nacre/core'
import { textResult } from '../define-tool.js'
import { describeChange } from './describe-change.js'
import { fileBytes } from './file-bytes.js'
import { fileHash } from './file-hash.js'
import { atPlace } from './file-place.js'
import type { FileToolParts } from './file-tool-parts.js'
import { toLf } from './line-ends.js'
import { mustBeSeen } from './must-be-seen.js'
import { nearNames } from './near-names.js'
import { decodeText, encodeText, isFaithful } from './text-file.js'
import { writeAtomically } from './write-atomically.js'

/** Changes the text of a file that the model has seen, all at once. `change` throws what speaks against it. */
export async function changeFile(
  { guard, sightings, patches }: FileToolParts,
  asked: string,
  context: ToolContext,
  change: (text: string) => string,
): Promise<ToolResult> {
  return atPlace(asked, context, { guard }, async (place) => {
    const { path, folder, name } = place
    const found = await fileBytes(place, context.signal)
    if (!found) {
      throw new Error(`There is no file ${path}. A new one is made with Write.${await nearNames(folder, name)}`)
    }
    const file = decodeText(found.bytes)
    if (!file) throw new Error(`${path} is a binary file: it has no text that could be replaced.`)
    if (!isFaithful(file, found.bytes)) {
      throw new Error(
        `${path} has bytes that are no ${file.format.encoding}, as which it begins: a change of its text would lose ` +
          'them. Change it with a program that works on bytes.',
      )
    }
    mustBeSeen(sightings, { path, hash: fileHash(found.bytes), stats: found.stats }, context)
    const text = change(file.text)
    const bytes = encodeText({ ...file, text })
    const stats = await writeAtomically(place, bytes, found.stats, context.signal)
    await sightings.add(path, { hash: fileHash(bytes), changed: stats.mtimeMs, shown: '' }, context)
    const { snippet, patch } = describeChange(path, toLf(file.text), toLf(text))
    const result = textResult(`Changed ${path}.${snippet === '' ? '' : ` It now has:\n${snippet}`}`)
    for (const block of result.content) patches.set(block, patch)
    return result
  })
}
