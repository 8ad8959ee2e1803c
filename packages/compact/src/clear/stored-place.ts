import type { Block } from '@nacre/core'
import { oneLine } from './one-line.js'
import { resultText } from './result-text.js'

const FRAME = /^\s*<persisted-output>/
const FILE = /^The whole is in the file (\S.*)$/m
const BLOB = /\b(\w+) with name ("[^"\n]+")/
/** Longer than paths are. */
const LONGEST = 1_000

/**
 * Where a preview says that the whole of a result is kept; `undefined` for any other text. Output may claim anything, so
 * only what bears the name of its own call is believed.
 */
export function storedPlace(result: Block): string | undefined {
  const text = resultText(result)
  if (!FRAME.test(text)) return undefined
  const call = String(result.tool_use_id).replace(/[^A-Za-z0-9._-]+/g, '-')
  const isOwn = (name: string) => name.length <= LONGEST && name.split(/[\\/]/).at(-1)?.includes(call)
  const [, path] = FILE.exec(text) ?? []
  if (path !== undefined) return isOwn(path) ? `the file ${oneLine(path)}` : undefined
  const [, tool, name = ''] = BLOB.exec(text) ?? []
  return isOwn(name) ? `${tool} with name ${name}` : undefined
}
