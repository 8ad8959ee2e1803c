import { pathText } from './byte-path.js'
import type { FileFilter } from './file-filter.js'
import type { GrepQuestion } from './grep-question.js'
import { hasRulesAbove, isInRepository } from './ignore-level.js'

/** The arguments by which ripgrep answers a question of Grep. */
export function grepArguments(question: GrepQuestion): string[] {
  const { file, filter, root, pattern, ignoresCase, isMultiline } = question
  return [
    // Look-around and back references, which the usual engine does not know, are left to the other one.
    '--engine=auto',
    '--crlf',
    ...(ignoresCase ? ['--ignore-case'] : []),
    ...(isMultiline ? ['--multiline', '--multiline-dotall'] : []),
    ...outputArguments(question),
    ...(file === undefined ? filterArguments(root, filter) : []),
    `--regexp=${pattern}`,
    '--',
    file === undefined ? './' : `./${pathText(file)}`,
  ]
}

/** The arguments by which ripgrep walks just the files that a filter may accept. */
export function filterArguments(root: string, { names, without = [], isHidden, maxDepth }: FileFilter): string[] {
  const hides = [...without, ...(isHidden ? ['.git'] : [])]
  return [
    ...(isInRepository(root) ? [] : ['--no-require-git']),
    // Where there are none above, it need not match each path against them: a fifth of its time.
    ...(hasRulesAbove(root) ? [] : ['--no-ignore-parent']),
    ...(isHidden ? ['--hidden'] : []),
    ...(maxDepth === undefined ? [] : [`--max-depth=${maxDepth}`]),
    // A type and not --glob: that one would bring back what ignore files have excluded.
    ...(names ? [...names.map((name) => `--type-add=nacre:${name}`), '--type=nacre'] : []),
    ...hides.map((glob) => `--glob=!${glob}`),
  ]
}

// Lines that are longer are cut in the result anyway.
const MAX_COLUMNS = 4_000

function outputArguments({ mode, isMultiline, before, after }: GrepQuestion): string[] {
  if (mode === 'files_with_matches') return ['--files-with-matches']
  if (mode === 'count') return ['--with-filename', isMultiline ? '--count-matches' : '--count']
  return [
    '--with-filename',
    '--heading',
    '--line-number',
    `--max-columns=${MAX_COLUMNS}`,
    '--max-columns-preview',
    `--before-context=${before}`,
    `--after-context=${after}`,
  ]
}
