import { oneLine } from './one-line.js'

const FRAME = /^\s*<persisted-output>/
const FILE = /^The whole is in the file (\S.*)$/m
const BLOB = /\b(\w+) with name ("[^"\n]+")/

/** Where a preview says that the whole of a result is kept; `undefined` for any other text. */
export function storedPlace(text: string): string | undefined {
  if (!FRAME.test(text)) return undefined
  const [, path] = FILE.exec(text) ?? []
  if (path !== undefined) return `the file ${oneLine(path)}`
  const [, tool, name] = BLOB.exec(text) ?? []
  return tool === undefined ? undefined : `${tool} with name ${name}`
}
