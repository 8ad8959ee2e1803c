import type { ToolContext } from '@nacre/core'
import { z } from 'zod'
import { defineTool, type ShownTool } from '../define-tool.js'
import { pathText, shownPath } from './byte-path.js'
import { globFilter } from './file-filter.js'
import { findRipgrep } from './find-ripgrep.js'
import { ripgrepGlob } from './ripgrep-glob.js'
import { scriptGlob } from './script-glob.js'
import type { SearchOptions } from './search-options.js'
import { searchPlace } from './search-place.js'

const LIMIT = 100

const schema = z.object({
  pattern: z
    .string()
    .min(1)
    .describe('Glob, such as **/*.ts or src/**/*.{js,jsx}. *.ts alone is about the folder itself only.'),
  path: z.string().optional().describe('Folder to look in. The working directory unless told.'),
})

type Input = z.output<typeof schema>

const DESCRIPTION = `Finds files by a glob on their paths. Those changed last come first; at most ${LIMIT} are listed.
Files that .gitignore and .ignore exclude and hidden files are skipped, unless the start of the pattern names them (.github/**).`

/** Glob: finds files by their paths, by ripgrep or, where there is none, in JavaScript with the same results. */
export function globTool(options: Omit<SearchOptions, 'budget'> = {}): ShownTool<Input> {
  return defineTool({
    name: 'Glob',
    description: DESCRIPTION,
    input: schema,
    traits: { isReadOnly: true, isCompactable: true, maxResultChars: 20_000 },
    run: (input, context) => glob(input, context, options),
    title: ({ pattern, path }) => `Glob ${pattern}${path ? ` in ${path}` : ''}`,
  })
}

async function glob(
  { pattern, path }: Input,
  { cwd, callId, signal }: ToolContext,
  options: SearchOptions,
): Promise<string> {
  const filter = globFilter(pattern)
  const place = await searchPlace({ cwd, path, base: filter.base, call: callId, guard: options.guard })
  if (place?.file !== undefined) throw new Error(`${path} is a file. Give a folder as path.`)
  const ripgrep = options.ripgrep ?? (await findRipgrep())
  const question = { root: place?.root ?? '', filter, limit: LIMIT }
  const ask = () => (ripgrep ? ripgrepGlob(ripgrep, question, signal) : scriptGlob(question, signal))
  const { paths, total } = place ? await ask() : { paths: [], total: 0 }
  if (total === 0) return 'No files found.'
  const lines = paths.map((found) => shownPath(`${place?.prefix}${pathText(found)}`))
  const more =
    total > paths.length
      ? ['', `[${paths.length} of ${total} files, those changed last. Narrow the pattern for the others.]`]
      : []
  return [...lines, ...more].join('\n')
}
