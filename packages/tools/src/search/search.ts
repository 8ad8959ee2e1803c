import { stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { definePlugin, type Id, type Plugin, type ToolContext } from '@nacre/core'
import { kindOf } from '@nacre/core/node'
import { z } from 'zod'
import { defineTool, type ShownTool } from '../define-tool.js'
import { isWithin, type PathGuard, realPath } from '../paths.js'
import { askSafely, inTime } from './bounded-search.js'
import { globFilter, grepFilter } from './file-filter.js'
import { grepEntries, resultPage, withoutHidden } from './grep-result.js'
import { holdFolder, openBelow } from './held-files.js'
import { findRipgrep, ripgrepGlob, ripgrepGrep } from './ripgrep.js'
import { isBinaryFile, scriptGlob, scriptGrep } from './script-search.js'
import {
  type BytePath,
  bytePath,
  type GlobAnswer,
  type GrepAnswer,
  type GrepQuestion,
  pathText,
  patternError,
  shownPath,
} from './search-question.js'
import { asksForLineEnd } from './translate-pattern.js'

/** Grep and Glob for the model. */
export function search(options: SearchOptions = {}): Plugin {
  return definePlugin({
    name: 'search',
    scope: 'all',
    setup() {
      const { grep, glob } = searchTools(options)
      return { tools: [grep, glob] }
    },
  })
}

export interface SearchOptions {
  /** The ripgrep to run; `false` to search in JavaScript. The one that is found unless told. */
  readonly ripgrep?: string | false
  /** Asked again for the place that is really searched. */
  readonly guard?: PathGuard
  /** Bytes of matches that are collected and counted; above it a result only says that there are more. 8 MB unless told. */
  readonly budget?: number
  /** Seconds that a search may take; 60 unless told. */
  readonly seconds?: number
}

/** Grep and Glob, to be used with an agent or alone. */
export function searchTools(options: SearchOptions = {}): SearchTools {
  return { grep: grepTool(options), glob: globTool(options) }
}

export interface SearchTools {
  readonly grep: ReturnType<typeof grepTool>
  readonly glob: ReturnType<typeof globTool>
}

const MAX_CHARS = 20_000
const GREP_LIMIT = 250
const BUDGET = 8 * 1024 * 1024

const count = z.number().int().min(0)
const contextLines = count.max(1_000)

const grepInput = z.object({
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
  '-A': contextLines.optional().describe('Lines to show after each match, with content.'),
  '-B': contextLines.optional().describe('Lines to show before each match, with content.'),
  '-C': contextLines.optional().describe('Lines to show before and after each match, with content.'),
  multiline: z.boolean().default(false).describe('Patterns may span lines, and . matches line ends.'),
  head_limit: count.min(1).max(10_000).default(GREP_LIMIT).describe('At most so many lines or files.'),
  offset: count.max(1_000_000).default(0).describe('Skip so many lines or files first.'),
})

type GrepInput = z.output<typeof grepInput>

const GREP_DESCRIPTION = `Searches file contents with ripgrep. Use it instead of grep or rg in a shell.
Results are sorted by path. Files that .gitignore and .ignore exclude, hidden files and binary files are skipped, unless path names them.`

/** Grep: finds a pattern in files, by ripgrep or, where there is none, in JavaScript with the same results. */
function grepTool(options: SearchOptions): ShownTool<GrepInput> {
  return defineTool({
    name: 'Grep',
    description: GREP_DESCRIPTION,
    input: grepInput,
    traits: { isReadOnly: true, isCompactable: true, maxResultChars: MAX_CHARS },
    run: (input, context) => grep(input, context, options),
    title: ({ pattern, path, glob }) =>
      `Grep ${JSON.stringify(pattern)}${path ? ` in ${path}` : ''}${glob ? ` (${glob})` : ''}`,
  })
}

async function grep(input: GrepInput, { cwd, callId, signal }: ToolContext, options: SearchOptions): Promise<string> {
  const { pattern, output_mode: mode, offset, head_limit: limit } = input
  if (!input.multiline && asksForLineEnd(pattern)) {
    throw patternError(pattern, 'It has a line end: set multiline to true.')
  }
  const filter = grepFilter(input.glob, input.type)
  const place = await searchPlace({ cwd, path: input.path, base: filter.base, call: callId, guard: options.guard })
  if (!place) return 'No matches found.'
  if (place.file !== undefined) await mustBeText(place.root, place.file, input.path)
  const hides = (path: BytePath) => options.guard?.hides?.(callId, `${place.root}/${pathText(path)}`) === true
  const question: GrepQuestion = {
    ...place,
    isJudged: options.guard !== undefined,
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
  const search = { root: place.root, signal, seconds: options.seconds }
  const { found, total, notes } = await inFolder(place.root, (cwd) =>
    inTime(search, (timed) => {
      const ask = (asked: GrepQuestion) =>
        askSafely<GrepAnswer>(
          { ...search, signal: timed },
          ripgrep ? (watched) => ripgrepGrep(ripgrep, { ...asked, cwd }, watched) : undefined,
          (watched) => scriptGrep(asked, watched),
        )
      return options.guard?.hides ? withoutHidden(ask, question, hides) : ask(question)
    }),
  )
  if (found.length === 0) return noted('No matches found.', notes)
  const entries = grepEntries(found, { mode, prefix: place.prefix, hasNumbers: input['-n'] })
  const unit = mode === 'content' ? 'line' : 'file'
  const maxChars = MAX_CHARS - noted('', notes).length
  return noted(resultPage(entries, { unit, offset, limit, maxChars, total }), notes)
}

/** Works while a folder is held open: where programs start in it, no link that is swapped leads them elsewhere. */
async function inFolder<Result>(root: string, work: (cwd: string) => Promise<Result>): Promise<Result> {
  const folder = await holdFolder(root)
  try {
    return await work(folder.cwd)
  } finally {
    await folder.close()
  }
}

async function mustBeText(root: string, name: BytePath, shown: string | undefined): Promise<void> {
  const file = await openBelow(root, name)
  if (!file) throw new Error(`${shown} can't be read, or was moved while it was being opened. Make the call again.`)
  try {
    if (await isBinaryFile(file)) throw new Error(`${shown} is a binary file: it has no lines to search.`)
  } finally {
    await file.close()
  }
}

function noted(text: string, notes: readonly string[] = []): string {
  return notes.length === 0 ? text : [text, '', ...notes].join('\n')
}

const GLOB_LIMIT = 100

const globInput = z.object({
  pattern: z
    .string()
    .min(1)
    .describe('Glob, such as **/*.ts or src/**/*.{js,jsx}. *.ts alone is about the folder itself only.'),
  path: z.string().optional().describe('Folder to look in. The working directory unless told.'),
})

type GlobInput = z.output<typeof globInput>

const GLOB_DESCRIPTION = `Finds files by a glob on their paths. Those changed last come first; at most ${GLOB_LIMIT} are listed.
Files that .gitignore and .ignore exclude and hidden files are skipped, unless the start of the pattern names them (.github/**).`

/** Glob: finds files by their paths, by ripgrep or, where there is none, in JavaScript with the same results. */
function globTool(options: SearchOptions): ShownTool<GlobInput> {
  return defineTool({
    name: 'Glob',
    description: GLOB_DESCRIPTION,
    input: globInput,
    traits: { isReadOnly: true, isCompactable: true, maxResultChars: MAX_CHARS },
    run: (input, context) => glob(input, context, options),
    title: ({ pattern, path }) => `Glob ${pattern}${path ? ` in ${path}` : ''}`,
  })
}

async function glob(
  { pattern, path }: GlobInput,
  { cwd, callId, signal }: ToolContext,
  options: SearchOptions,
): Promise<string> {
  const filter = globFilter(pattern)
  const place = await searchPlace({ cwd, path, base: filter.base, call: callId, guard: options.guard })
  if (place?.file !== undefined) throw new Error(`${path} is a file. Give a folder as path.`)
  const ripgrep = options.ripgrep ?? (await findRipgrep())
  const question = { root: place?.root ?? '', filter, limit: GLOB_LIMIT }
  const search = { root: question.root, signal, seconds: options.seconds }
  const ask = () =>
    inFolder(question.root, (cwd) =>
      inTime(search, (timed) =>
        askSafely<GlobAnswer>(
          { ...search, signal: timed },
          ripgrep ? (watched) => ripgrepGlob(ripgrep, { ...question, cwd }, watched) : undefined,
          (watched) => scriptGlob(question, watched),
        ),
      ),
    )
  const { paths, total, notes }: GlobAnswer = place ? await ask() : { paths: [], total: 0 }
  if (total === 0) return noted('No files found.', notes)
  const lines = paths.map((found) => shownPath(`${place?.prefix}${pathText(found)}`))
  const more =
    total > paths.length
      ? ['', `[${paths.length} of ${total} files, those changed last. Narrow the pattern for the others.]`]
      : []
  return noted([...lines, ...more].join('\n'), notes)
}

/** Where a search begins. */
interface SearchPlace {
  /** A folder without links in its path; divided by '/'. */
  readonly root: string
  /** Set when the path was a file: its name in the root. */
  readonly file?: BytePath
  /** Stands before each path that is found, so that it leads there from the working directory. */
  readonly prefix: string
}

interface PlaceOptions {
  readonly cwd: string
  readonly path: string | undefined
  /** The folder, below the path, in which a glob begins. */
  readonly base: string
  readonly call: Id
  readonly guard: PathGuard | undefined
}

/** Finds where to search. Throws a message for the model where there is nothing, or where it would leave the path. */
async function searchPlace(options: PlaceOptions): Promise<SearchPlace | undefined> {
  const { cwd, path = '.', base, call, guard } = options
  const start = await realPath(path, cwd)
  const kind = await placeKind(start)
  if (!kind) throw new Error(`There is no file or folder ${path}. The working directory is ${cwd}.`)
  guard?.verify(call, start)
  const named = resolve(cwd, path)
  if (kind === 'file')
    return { root: slashed(dirname(start)), file: bytePath(basename(start)), prefix: prefixOf(cwd, dirname(named)) }
  const root = await realPath(base, start)
  if (!isWithin(start, root)) throw new Error(`The glob leads out of ${path}. Give the folder to look in as path.`)
  if ((await placeKind(root)) !== 'folder') return undefined
  return { root: slashed(root), prefix: prefixOf(cwd, resolve(named, base)) }
}

async function placeKind(path: string): Promise<'file' | 'folder' | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (!found || found.isDirectory()) return found && 'folder'
  if (found.isFile()) return 'file'
  throw new Error(`${path} is a ${kindOf(found)}, not a regular file: there is nothing to search in it. Name a file.`)
}

/** Relative below the working directory, absolute outside of it. */
function prefixOf(cwd: string, folder: string): string {
  const from = relative(cwd, folder)
  if (from === '') return ''
  const shown = slashed(from.startsWith('..') ? folder : from)
  return shown.endsWith('/') ? shown : `${shown}/`
}

function slashed(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
