import type { Coverage } from '../covering/coverage.js'

const BEGIN = '<!-- nacre notes '
const END = '<!-- end of nacre notes -->'
const FRAME = /^<!-- nacre notes (\{.*\}) -->\r?\n([\s\S]*?)\r?\n<!-- end of nacre notes -->\s*$/

/** Notes between a first line that says how far they go and a last one without which they were cut off. */
export function frameNotes(text: string, { session, covers, turn }: Coverage): string {
  // A comment ends at the first of these.
  const mark = JSON.stringify({ covers, turn, session }).replaceAll('>', '\\u003e')
  return `${BEGIN}${mark} -->\n${text.trim()}\n${END}\n`
}

/** What stands between, and how far it goes; `undefined` where one of the two lines is gone or makes no sense. */
export function unframeNotes(file: string): { readonly text: string; readonly mark: Coverage } | undefined {
  const [, mark = '', text = ''] = FRAME.exec(file.trimStart()) ?? []
  try {
    const { session, covers, turn } = JSON.parse(mark) as Partial<Coverage>
    if (typeof session !== 'string' || typeof covers !== 'string' || !Number.isInteger(turn)) return undefined
    return { text, mark: { session, covers, turn: turn as number } }
  } catch {
    return undefined
  }
}
