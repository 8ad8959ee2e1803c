import { lstatSync } from 'node:fs'
import { glob } from 'tinyglobby'
import { leadsTo } from '../paths.js'
import type { Cage } from '../sandbox/sandbox.js'
import { broadPatterns, type JudgeSetting } from './judge-path.js'
import { coversTool, type Judgement, type PermissionRule } from './permission-rule.js'

/**
 * The places that rules for files forbid, for the cage of a command: a program may open anything, whatever its words are. A
 * rule that asks has been asked about where a person has said yes to a call for its sake.
 */
export async function ruledPlaces(judged: Judgement, setting: JudgeSetting): Promise<Pick<Cage, 'hidden' | 'locked'>> {
  const { rules } = setting
  const isForbidding = (rule: PermissionRule) =>
    rule.verdict === 'deny' || (rule.verdict === 'ask' && setting.mode !== 'bypass' && rule !== judged.rule)
  const speaking = (tool: 'Read' | 'Edit') =>
    rules.filter((rule) => rule.subject !== undefined && coversTool(rule.tool, tool) && isForbidding(rule))
  const [hidden, locked] = await Promise.all([placesOf(speaking('Read'), setting), placesOf(speaking('Edit'), setting)])
  return {
    ...(hidden.length > 0 && { hidden: whereLed(hidden) }),
    ...(locked.length > 0 && { locked: whereLed(locked) }),
  }
}

/** What is called so may be a link: then it is what that leads to. */
function whereLed(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.map((path) => leadsTo(path, '/')))]
}

async function placesOf(rules: readonly PermissionRule[], setting: JudgeSetting): Promise<readonly string[]> {
  const patterns = rules.flatMap((rule) => broadPatterns(rule, setting.base))
  const plain = patterns.filter((pattern) => !/[*?[\]!{}]/.test(pattern)).map((pattern) => pattern.replace(/\/$/, ''))
  const wild = patterns.filter((pattern) => /[*?[\]!{}]/.test(pattern)).map((pattern) => pattern.replace(/\/$/, ''))
  const there = plain.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined)
  return [...new Set([...there, ...(await matching(wild, setting))])]
}

/** Patterns speak of the workspace: what lies there and is somebody else's is not looked through. */
async function matching(patterns: readonly string[], { workspace }: JudgeSetting): Promise<readonly string[]> {
  if (patterns.length === 0) return []
  const found = await Promise.all(
    workspace.map((cwd) =>
      glob([...patterns], {
        cwd,
        absolute: true,
        dot: true,
        onlyFiles: false,
        caseSensitiveMatch: false,
        expandDirectories: false,
        followSymbolicLinks: false,
        ignore: ['**/node_modules/**', '**/.git/**'],
      }),
    ),
  )
  return found.flat().map((path) => path.replace(/\/$/, ''))
}
