import { LineCounter, parseDocument } from 'yaml'

/** What stands between the two `---` lines, and the text behind them. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>
  readonly body: string
}

export interface FrontMatterProblem {
  readonly line: number
  readonly message: string
}

const FENCE = /^---[ \t]*$/
// Parsing takes the longer the more fields there are, by their square.
const MAX_CHARACTERS = 20_000

/** Reads the front matter of a Markdown file, or says in which line of the file it can not be read. */
export function frontMatter(source: string): FrontMatter | FrontMatterProblem {
  const text = source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const lines = text.split('\n')
  if (!FENCE.test(lines[0] ?? '')) return { line: 1, message: 'It does not begin with front matter: a line with ---' }
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line))
  if (end < 0) return { line: 1, message: 'Its front matter has no end: a second line with --- is missing' }
  const yaml = lines.slice(1, end).join('\n')
  if (yaml.length > MAX_CHARACTERS) {
    return { line: 1, message: `Its front matter is longer than ${MAX_CHARACTERS} characters` }
  }
  const fields = parsed(yaml)
  if ('message' in fields) return { line: fields.line + 1, message: fields.message }
  return {
    fields: fields.value,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}

function parsed(yaml: string): { readonly value: Readonly<Record<string, unknown>> } | FrontMatterProblem {
  const lineCounter = new LineCounter()
  const document = parseDocument(yaml, { lineCounter, prettyErrors: true })
  const [error] = document.errors
  if (error)
    return {
      line: error.linePos?.[0].line ?? 1,
      message: `Its front matter is not YAML: ${error.message.split('\n')[0]}`,
    }
  try {
    const value: unknown = document.toJS()
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value: { ...value } }
  } catch (error) {
    return { line: 1, message: `Its front matter can not be read: ${(error as Error).message}` }
  }
  return { line: 1, message: 'Its front matter is not a list of fields such as `name: value`' }
}
