import { globExpression } from './glob-expression.js'

/** One line of a `.gitignore` or a file of its kind. */
export interface IgnoreRule {
  readonly expression: RegExp
  readonly isNegated: boolean
  readonly isForFolders: boolean
}

/** The rules in the text of an ignore file. Lines that are no glob are passed over, as git does. */
export function ignoreRules(text: string): IgnoreRule[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line) => ignoreRule(line) ?? [])
}

function ignoreRule(line: string): IgnoreRule | undefined {
  let glob = line.replace(/(?<!\\) +$/, '')
  if (glob === '' || glob.startsWith('#')) return undefined
  const isNegated = glob.startsWith('!')
  if (isNegated) glob = glob.slice(1)
  const isForFolders = glob.endsWith('/')
  if (isForFolders) glob = glob.slice(0, -1)
  const isAnchored = glob.includes('/')
  if (glob.startsWith('/')) glob = glob.slice(1)
  if (glob === '') return undefined
  try {
    return { expression: globExpression(isAnchored ? glob : `**/${glob}`, { dots: true }), isNegated, isForFolders }
  } catch {
    return undefined
  }
}

/** What the rules say of a path that is relative to their folder: the last that matches counts. */
export function judgeByRules(
  rules: readonly IgnoreRule[],
  path: string,
  isFolder: boolean,
): 'skip' | 'keep' | undefined {
  const rule = rules.findLast(({ expression, isForFolders }) => (isFolder || !isForFolders) && expression.test(path))
  return rule && (rule.isNegated ? 'keep' : 'skip')
}
