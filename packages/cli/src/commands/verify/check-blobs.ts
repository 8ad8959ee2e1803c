import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Block, Entry } from '@nacre/core'
import type { Checked } from './checked.js'

const FRAME = /^<persisted-output>\n/
const FILE = /^The whole is in the file (.+)$/m

/** Whether the files are there that stand behind results which were too long for the view. */
export async function checkBlobs(entries: readonly Entry[], folder: string, data: string): Promise<Checked> {
  const named = [...new Set(entries.flatMap(blocksOf).flatMap((block) => fileIn(block)))]
  // A fork refers to the files of the session it came from; what lies elsewhere is nobody's blob.
  const kept = named.filter((file) => file.startsWith(data))
  const found = await Promise.all(
    kept.map(async (file) => (await isFile(file)) || isFile(join(folder, basename(file)))),
  )
  const problems = kept.filter((_, index) => !found[index]).map((file) => `${file} is missing`)
  return {
    name: 'results',
    detail: `${kept.length - problems.length} of ${kept.length} stored ones are there`,
    problems,
  }
}

function blocksOf(entry: Entry): readonly Block[] {
  if (entry.kind === 'user') return entry.content
  if (entry.kind !== 'edit') return []
  return entry.changes.flatMap((change) => (change.kind === 'replace' ? change.content : []))
}

/** A result only has the file that bears the name of its own call: the output of a tool may claim anything. */
function fileIn(block: Block): string[] {
  const text = textOf(block)
  const file = text !== undefined && FRAME.test(text) ? FILE.exec(text)?.[1] : undefined
  const owner =
    block.type === 'tool_result' ? String(block.tool_use_id).replaceAll(/[^A-Za-z0-9._-]+/g, '-') : 'pasted-text'
  return file !== undefined && basename(file).includes(owner) ? [file] : []
}

function textOf({ type, text, content }: Block): string | undefined {
  if (type === 'text') return String(text)
  if (type !== 'tool_result' || typeof content === 'string') return content as string | undefined
  const texts = ((content ?? []) as readonly Block[]).filter((block) => block.type === 'text')
  return texts.length === 1 ? String(texts[0]?.text) : undefined
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}
