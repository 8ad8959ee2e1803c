import type { ToolContext } from '@nacre/core'
import { z } from 'zod'
import { defineTool, type ShownTool } from '../define-tool.js'
import { type BytePath, pathText } from './byte-path.js'
import { grepFilter } from './file-filter.js'
import { findRipgrep } from './find-ripgrep.js'
import { grepEntries } from './grep-entries.js'
import { type GrepQuestion, patternError } from './grep-question.js'
import { isBinaryFile } from './is-binary-file.js'
import { resultPage } from './result-page.js'
import { ripgrepGrep } from './ripgrep-grep.js'
import { scriptGrep } from './script-grep.js'
import type { SearchOptions } from './search-options.js'
import { searchPlace } from './search-place.js'
import { asksForLineEnd } from './translate-pattern.js'
import { withoutHidden } from './without-hidden.js'

const MAX_CHARS = 20_000
const LIMIT = 250
const BUDGET = 8 * 1024 * 1024

const count = z.number().int().min(0)
const context = count.max(1_000)

const schema = z.object({
  pattern: z
    .string()
    .refine((pattern) => !pattern.includes('\0'), 'must not contain NUL')
    .describe('Regular expression in the syntax of ripgrep. Escape literal braces and brackets.'),
  path: z.string().optional().describe('File or folder to search in. The working directory unless told.'),
  glob: z
    .string()
    .optional()
    .describe('Only files that match, such as *.ts, src/**/*.{js,ts} or !*.test.ts. Several are divided by commas.'),
  type: z.string().optional().describe('Only files of a type, such as ts, py, rust, md.'),
  output_mode: z
    .enum(['files_with_matches', 'content', 'count'])
    .default('files_with_matches')
    .describe('Paths only, matching lines, or the number of matches by file.'),
  '-i': z.boolean().default(false).describe('Ignore case.'),
  '-n': z.boolean().default(true).describe('Line numbers, with content.'),
  '-A': context.optional().describe('Lines to show after each match, with content.'),
  '-B': context.optional().describe('Lines to show before each match, with content.'),
  '-C': context.optional().describe('Lines to show before and after each match, with content.'),
  multiline: z.boolean().default(false).describe('Patterns may span lines, and . matches line ends.'),
  head_limit: count.min(1).max(10_000).default(LIMIT).describe('At most so many lines or files.'),
  offset: count.max(1_000_000).default(0).describe('Skip so many lines or files first.'),
})

type Input = z.output<typeof schema>

const DESCRIPTION = `Searches file contents with ripgrep. Use it instead of grep or rg in a shell.
Results are sorted by path. Files that .gitignore and .ignore exclude, hidden files and binary files are skipped, unless path names them.`

/** Grep: finds a pattern in files, by ripgrep or, where there is none, in JavaScript with the same results. */
export function grepTool(options: SearchOptions = {}): ShownTool<Input> {
  return defineTool({
    name: 'Grep',
    description: DESCRIPTION,
    input: schema,
    traits: { isReadOnly: true, isCompactable: true, maxResultChars: MAX_CHARS },
    run: (input, context) => grep(input, context, options),
    title: ({ pattern, path, glob }) =>
      `Grep ${JSON.stringify(pattern)}${path ? ` in ${path}` : ''}${glob ? ` (${glob})` : ''}`,
  })
}

async function grep(input: Input, { cwd, callId, signal }: ToolContext, options: SearchOptions): Promise<string> {
  const { pattern, output_mode: mode, offset, head_limit: limit } = input
  if (!input.multiline && asksForLineEnd(pattern)) {
    throw patternError(pattern, 'It has a line end: set multiline to true.')
  }
  const filter = grepFilter(input.glob, input.type)
  const place = await searchPlace({ cwd, path: input.path, base: filter.base, call: callId, guard: options.guard })
  if (!place) return 'No matches found.'
  if (place.file !== undefined && (await isBinaryFile(`${place.root}/${pathText(place.file)}`))) {
    throw new Error(`${input.path} is a binary file: it has no lines to search.`)
  }
  const hides = (path: BytePath) => options.guard?.hides?.(callId, `${place.root}/${pathText(path)}`) === true
  const question: GrepQuestion = {
    ...place,
    filter,
    pattern,
    mode,
    ignoresCase: input['-i'],
    isMultiline: input.multiline,
    before: input['-B'] ?? input['-C'] ?? 0,
    after: input['-A'] ?? input['-C'] ?? 0,
    // One more tells whether there are more.
    wanted: offset + limit + 1,
    budget: options.budget ?? BUDGET,
  }
  const ripgrep = options.ripgrep ?? (await findRipgrep())
  const ask = (asked: GrepQuestion) => (ripgrep ? ripgrepGrep(ripgrep, asked, signal) : scriptGrep(asked, signal))
  const { found, total } = await (options.guard?.hides ? withoutHidden(ask, question, hides) : ask(question))
  if (found.length === 0) return 'No matches found.'
  const entries = grepEntries(found, { mode, prefix: place.prefix, hasNumbers: input['-n'] })
  return resultPage(entries, { unit: mode === 'content' ? 'line' : 'file', offset, limit, maxChars: MAX_CHARS, total })
}
