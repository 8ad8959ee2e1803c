import { judgeByRules, judgeFolder, judgePath } from './judge-path.js'
import type { JudgeSetting } from './judge-setting.js'
import type { Judgement } from './judgement.js'
import type { PathAccess } from './path-access.js'
import type { CommandPart, ParsedCommand } from './shell/command-part.js'
import type { CommandWord } from './shell/command-word.js'
import { copiedBy, type FileAccess, mentionsOf, redirectAccesses, writesOf } from './shell/file-accesses.js'
import { harmlessReads } from './shell/harmless-reads.js'
import { wordPaths } from './shell/word-paths.js'
import { coversTool } from './tool-families.js'

const TOOLS = { read: 'Read', write: 'Edit' } as const

/** The files that a part plainly opens. */
export function commandFiles(part: CommandPart, reads: readonly CommandWord[]): FileAccess[] {
  const read = reads.map((word) => ({ kind: 'read' as const, word, isRedirect: false }))
  const redirected = redirectAccesses(part).filter(({ kind }) => kind === 'read')
  return [...read, ...redirected, ...copiedBy(part), ...writesOf(part)]
}

/** Rules that forbid a file, or ask, for every word that may name it: best effort, since a program may open anything. */
export function judgeForbiddenFiles({ parts }: ParsedCommand, setting: JudgeSetting): Judgement[] {
  const kinds = (['read', 'write'] as const).filter((kind) => hasRules(kind, setting))
  if (kinds.length === 0) return []
  return parts.flatMap((part) => {
    const reads = harmlessReads(part)
    const mentions = mentionsOf(part, reads)
    return kinds.flatMap((kind) => {
      const opened = commandFiles(part, []).filter((file) => file.kind === kind)
      // What only reads writes to none of the files that it names.
      const named = kind === 'write' && reads ? [] : mentions
      return [...opened.map(({ word }) => word), ...named].flatMap((word) => forbidden(kind, word, part, setting))
    })
  })
}

function hasRules(kind: PathAccess['kind'], { rules, mode }: JudgeSetting): boolean {
  return rules.some(
    ({ verdict, tool }) =>
      coversTool(tool, TOOLS[kind]) && (verdict === 'deny' || (verdict === 'ask' && mode !== 'bypass')),
  )
}

function forbidden(kind: PathAccess['kind'], word: CommandWord, part: CommandPart, setting: JudgeSetting): Judgement[] {
  const paths = wordPaths(word, part)
  if (!paths) {
    const reason = `Rules speak of files to ${kind}, and which one '${word.source}' names is not known before it runs.`
    return [{ verdict: 'ask', reason }]
  }
  return paths.flatMap((path) => {
    const access = { kind, tool: TOOLS[kind], ...path }
    return judgeByRules(access, setting) ?? (kind === 'write' ? judgeFolder(access, setting) : undefined) ?? []
  })
}

/** What the workspace, sensitive places and the mode make of what a part plainly opens. */
export function judgeOpenedFiles(
  part: CommandPart,
  files: readonly FileAccess[],
  { isAllowed, isBare }: { readonly isAllowed: boolean; readonly isBare: boolean },
  setting: JudgeSetting,
): Judgement[] {
  // A rule for the command speaks of the files in its words, but not of redirections; a rule for all of Bash of both.
  const isSpokenOf = (file: FileAccess) => isAllowed && (isBare || !file.isRedirect)
  return files.flatMap((file) => {
    const { kind, word } = file
    if (kind === 'read' && word.kind !== 'static' && !leavesWorkspace(word, part, setting)) return []
    const paths = kind === 'read' || word.kind === 'static' ? wordPaths(word, part) : undefined
    if (!paths) return kind === 'read' && word.kind === 'static' ? [] : [unknownTarget(word)]
    const mode = isSpokenOf(file) && setting.mode === 'default' ? 'accept-edits' : setting.mode
    return paths.map((path) => judgePath({ kind, tool: TOOLS[kind], ...path }, { ...setting, mode }))
  })
}

function unknownTarget({ source }: CommandWord): Judgement {
  return { verdict: 'ask', reason: `Where '${source}' leads is not known before it runs.` }
}

/** Patterns below the working folder are not looked up unless a rule asks for it. */
function leavesWorkspace({ kind, text }: CommandWord, { folders }: CommandPart, { cwd }: JudgeSetting): boolean {
  const isElsewhere = folders.some((folder) => folder !== cwd)
  return kind === 'glob' && (isElsewhere || text.startsWith('/') || text.includes('..'))
}
