import { fitsWildcards } from '@nacre/core/node'
import { isWithin } from '../paths.js'
import { isGuarded } from '../sandbox/guarded-places.js'
import type { Access, Cage } from '../sandbox/sandbox.js'
import { type Caging, type JudgeSetting, judgeByRules, judgeFolder, judgePath, type PathAccess } from './judge-path.js'
import {
  citeRule,
  coversTool,
  type Judgement,
  type PermissionRule,
  type RuleVerdict,
  strictest,
} from './permission-rule.js'
import {
  commandFiles,
  type FileAccess,
  harmlessReads,
  isEdit,
  isReadOnly,
  mentionsOf,
  setsNothing,
  wordPaths,
  writesOf,
} from './shell/command-files.js'
import {
  broadlyMatches,
  type CommandPattern,
  commandPattern,
  plainlyMatches,
  riskyWord,
  standsIn,
} from './shell/match-command.js'
import { type CommandPart, type ParsedCommand, parseCommand } from './shell/parse-command.js'
import { isPlain, isPlainPart, isPlainWriter, settlesGit } from './shell/plain-commands.js'

/** What the model asks for a command, and why. */
export interface AskedAccess {
  readonly access: Access
  readonly reason: string | undefined
}

/**
 * What rules and the mode make of a command line. In a cage it matters what the command is able to do; without one each
 * simple command in it is judged, and each file that it plainly opens.
 */
export function judgeCommand(command: string, asked: AskedAccess, setting: JudgeSetting): Judgement {
  const parsed = parseCommand(command, setting.cwd)
  const forbidden = [...judgeCommandByRules(parsed, setting), ...judgeForbiddenFiles(parsed, setting)]
  const worst = strictest(forbidden)
  if (worst?.verdict === 'deny') return worst
  const { mode, caging } = setting
  if (mode === 'bypass') return judgeInBypass(worst, asked, setting)
  if (caging) return judgeInCage(parsed, { ...asked, forbidden }, setting)
  if (mode === 'plan' && !isPlain(parsed)) return refusedInPlan(parsed)
  if (worst) return worst
  const rule = wholeRule(commandRules(setting.rules, 'allow'), parsed)
  if (rule) return { verdict: 'allow', reason: `${citeRule(rule)} is this command.`, rule }
  return judgeParts(parsed, setting)
}

function judgeInBypass(worst: Judgement | undefined, { access }: AskedAccess, setting: JudgeSetting): Judgement {
  const { caging, workspace } = setting
  const isCaged = caging?.bypass === 'work' && access !== 'outside'
  const cage = isCaged ? ({ kind: 'work', workspace } as const) : 'outside'
  return { ...(worst ?? { verdict: 'allow', reason: 'The mode is bypass.' }), cage }
}

interface CagedCommand extends AskedAccess {
  readonly forbidden: readonly Judgement[]
}

/** In which cage a command runs, and whether that needs a question. What runs without one is able to do no harm. */
function judgeInCage(
  parsed: ParsedCommand,
  { access, reason, forbidden }: CagedCommand,
  setting: JudgeSetting,
): Judgement {
  const { mode, workspace, caging } = setting
  const isPlan = mode === 'plan' || caging?.isPlanning === true
  const sure = strictest(forbidden.filter(({ isGuess }) => !isGuess))
  const words = reason?.trim() ? `: ${reason.trim()}` : '.'
  if (isPlan && access !== 'read')
    return { verdict: 'deny', reason: `The mode is plan: ${shown(parsed.command)} can only read, in the sandbox.` }
  const judged = ruledParts(parsed, setting.rules)
  const isCovered = judged.isWhole || (parsed.unclear.length === 0 && judged.parts.every(isAllowedByRule))
  if (access === 'outside' || (isCovered && isExcluded(parsed, caging))) {
    const asks = { verdict: 'ask', reason: `It asks to run outside of the sandbox${words}`, cage: 'outside' } as const
    return isCovered && isExcluded(parsed, caging) ? (sure ?? { ...allowedBy(judged), cage: 'outside' }) : asks
  }
  const opened = openedFiles(judged.parts, setting)
  if (isPlan && (opened.isWriting || opened.writable.length > 0)) return refusedInPlan(parsed)
  const isWork =
    !isPlan && worksIn(mode, { access, isCovered, isWriting: opened.isWriting || opened.writable.length > 0 }, parsed)
  const guess = isWork ? strictest(forbidden) : undefined
  const { writable, revealed } = opened
  const changesSettings = isWork && settlesGit(parsed)
  const cage: Cage = {
    kind: isWork ? 'work' : 'read',
    workspace,
    writable,
    revealed,
    ...(changesSettings && { changesSettings }),
  }
  const asks = sure ?? guess ?? strictest(opened.asks)
  if (asks) return { ...asks, cage }
  if (isCovered) return { ...allowedBy(judged), cage }
  if (!isWork) return { verdict: 'allow', reason: 'The sandbox lets it only read.', cage }
  if (mode === 'accept-edits')
    return { verdict: 'allow', reason: 'The mode is accept-edits, and the sandbox keeps it to the workspace.', cage }
  const what =
    access === 'write'
      ? `It asks to write in the workspace${words}`
      : `${shown(parsed.command)} writes in the workspace.`
  return { verdict: 'ask', reason: what, cage }
}

interface Wanted {
  readonly access: Access
  readonly isCovered: boolean
  readonly isWriting: boolean
}

/** Whether a command gets a cage in which it can work. What plainly only reads needs none, and may run beside others. */
function worksIn(mode: JudgeSetting['mode'], { access, isCovered, isWriting }: Wanted, parsed: ParsedCommand): boolean {
  if (access === 'write' || isWriting) return true
  return (isCovered || mode === 'accept-edits') && !isReadOnly(parsed)
}

/** Whether all of it is named as what may run outside, in words that go no further. */
function isExcluded({ parts, unclear }: ParsedCommand, caging: Caging | undefined): boolean {
  const patterns = (caging?.outside ?? []).map(commandPattern)
  const isNamed = (part: CommandPart) =>
    patterns.some(
      (pattern) =>
        plainlyMatches(pattern, part) && (pattern.kind === 'exact' || riskyWord(part, pattern.words) === undefined),
    )
  return (
    parts.length > 0 &&
    unclear.length === 0 &&
    parts.every((part) => part.redirects.length === 0 && setsNothing(part) && isNamed(part))
  )
}

/** A part with the rule that allows it, or the word in it that goes beyond one. */
interface RuledPart {
  readonly part: CommandPart
  readonly rule: PermissionRule | undefined
  readonly beyond: string | undefined
}

interface RuledParts {
  readonly parts: readonly RuledPart[]
  /** A rule is this command line, to the letter. */
  readonly isWhole: boolean
  readonly whole: PermissionRule | undefined
}

function isAllowedByRule({ rule, part }: RuledPart): boolean {
  return rule !== undefined || (harmlessReads(part) !== undefined && writesOf(part).length === 0)
}

function allowedBy({ parts, whole }: RuledParts): Judgement {
  const rule = whole ?? parts.find((one) => one.rule)?.rule
  if (!rule) return { verdict: 'allow', reason: 'It only reads.' }
  return { verdict: 'allow', reason: `${citeRule(rule)} speaks of this command.`, rule }
}

function ruledParts(parsed: ParsedCommand, rules: readonly PermissionRule[]): RuledParts {
  const every = bareRule(rules, 'allow')
  const allowed = commandRules(rules, 'allow')
  const whole = every ?? wholeRule(allowed, parsed)
  const covered = new Map<CommandPart, PermissionRule>()
  const parts = parsed.parts.map((part): RuledPart => {
    const byRule = whole ?? (part.parent && covered.get(part.parent))
    const { rule = byRule, beyond } = byRule ? {} : plainRule(allowed, part)
    const isExact = rule !== undefined && !rule.subject?.includes('*')
    if (rule && (isExact || every)) covered.set(part, rule)
    return { part, rule, beyond }
  })
  return { parts, isWhole: whole !== undefined, whole }
}

interface OpenedFiles {
  readonly asks: readonly Judgement[]
  /** Outside of the workspace, or sensitive: to be told to the cage once a person has said yes. */
  readonly writable: readonly string[]
  readonly revealed: readonly string[]
  /** Whether it plainly writes in the workspace. */
  readonly isWriting: boolean
}

/** What the words of a command say about files that a cage would refuse: so the question comes before, and names them. */
function openedFiles(parts: readonly RuledPart[], setting: JudgeSetting): OpenedFiles {
  const asks: Judgement[] = []
  const writable = new Set<string>()
  const revealed = new Set<string>()
  let isWriting = false
  for (const { part } of parts) {
    for (const { kind, word } of commandFiles(part, harmlessReads(part) ?? [])) {
      if (word.kind !== 'static') continue
      for (const path of wordPaths(word, part) ?? []) {
        const isInside = setting.workspace.some((root) => isWithin(root, path.real))
        if (kind === 'write' && !isInside && (isPrivate(path.real) || isPrivate(path.given))) continue
        if (isInside && kind === 'write') isWriting = true
        // What would run outside the cage keeps, and all else may be written.
        if (isInside && kind === 'write' && !isGuarded(path.real)) continue
        const judged = judgePath({ kind, tool: TOOLS[kind], ...path }, { ...setting, mode: 'accept-edits' })
        if (judged.verdict === 'allow') continue
        asks.push(judged)
        ;(kind === 'write' ? writable : revealed).add(path.real)
      }
    }
    if (isPlainWriter(part)) isWriting = true
  }
  return { asks, writable: [...writable], revealed: [...revealed], isWriting }
}

/** A cage has places of its own there. */
function isPrivate(path: string): boolean {
  return ['/tmp', '/var/tmp', '/dev', '/proc'].some((folder) => isWithin(folder, path))
}

/** Rules that forbid and ask, under every name that a command may have. */
function judgeCommandByRules(parsed: ParsedCommand, { rules, mode }: JudgeSetting): Judgement[] {
  const found: Judgement[] = []
  for (const verdict of ['deny', 'ask'] as const) {
    if (verdict === 'ask' && mode === 'bypass') continue
    const every = bareRule(rules, verdict)
    if (every) found.push({ verdict, reason: `${citeRule(every)} speaks of every command.`, rule: every })
    const match = broadRule(commandRules(rules, verdict), parsed)
    if (match?.isSure)
      found.push({ verdict, reason: `${citeRule(match.rule)} speaks of ${shown(parsed.command)}.`, rule: match.rule })
    else if (match)
      found.push({
        verdict: 'ask',
        reason: `${citeRule(match.rule)} may speak of ${shown(parsed.command)}: what it runs is not known before it runs.`,
        rule: match.rule,
        isGuess: true,
      })
  }
  return found
}

function bareRule(rules: readonly PermissionRule[], verdict: PermissionRule['verdict']): PermissionRule | undefined {
  return rules.find((rule) => rule.tool === 'Bash' && rule.verdict === verdict && rule.subject === undefined)
}

function refusedInPlan({ command, unclear }: ParsedCommand): Judgement {
  const why = unclear[0] === undefined ? '' : ` (${unclear[0]})`
  return { verdict: 'deny', reason: `The mode is plan: ${shown(command)} is not plainly read-only${why}.` }
}

function judgeParts(parsed: ParsedCommand, setting: JudgeSetting): Judgement {
  const every = bareRule(setting.rules, 'allow')
  if (parsed.unclear.length > 0 && !every)
    return { verdict: 'ask', reason: `${shown(parsed.command)} can't be judged by its parts: ${parsed.unclear[0]}.` }
  const isOnlyWriter = parsed.parts.filter((part) => writesOf(part).length > 0).length < 2
  const findings = ruledParts(parsed, setting.rules).parts.flatMap((one) => judgePart(one, isOnlyWriter, setting))
  return strictest(findings) ?? { verdict: 'allow', reason: `${shown(parsed.command)} runs nothing.` }
}

function judgePart({ part, rule, beyond }: RuledPart, isOnlyWriter: boolean, setting: JudgeSetting): Judgement[] {
  const reads = harmlessReads(part)
  const files = commandFiles(part, reads ?? [])
  const byFiles = judgeOpenedFiles(part, files, rule, setting)
  if (rule)
    return [{ verdict: 'allow', reason: `${citeRule(rule)} speaks of ${shown(part.source)}.`, rule }, ...byFiles]
  if (reads && isPlainPart(part)) return [{ verdict: 'allow', reason: `${shown(part.source)} only reads.` }, ...byFiles]
  if (
    setting.mode === 'accept-edits' &&
    isEdit(part, isOnlyWriter) &&
    byFiles.every(({ verdict }) => verdict === 'allow')
  )
    return [{ verdict: 'allow', reason: 'The mode is accept-edits.' }, ...byFiles]
  const why = beyond ? `: '${beyond}' goes beyond the rule for it` : ''
  return [...byFiles, { verdict: 'ask', reason: `No rule allows ${shown(part.source)}${why}.` }]
}

const MOST_SHOWN = 200

function shown(command: string): string {
  const text = command.trim()
  return `\`${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}\``
}

/** A rule for Bash that speaks of some commands only. */
interface CommandRule {
  readonly rule: PermissionRule
  readonly pattern: CommandPattern
}

const patterns = new WeakMap<PermissionRule, CommandPattern>()

/** The rules for single commands with a verdict. */
function commandRules(rules: readonly PermissionRule[], verdict: RuleVerdict): CommandRule[] {
  return rules.flatMap((rule) => {
    if (rule.tool !== 'Bash' || rule.verdict !== verdict || rule.subject === undefined) return []
    const pattern = patterns.get(rule) ?? commandPattern(rule.subject)
    patterns.set(rule, pattern)
    return [{ rule, pattern }]
  })
}

/** The first rule that speaks, or may speak, of any part of a command: for rules that forbid or ask. */
function broadRule(
  rules: readonly CommandRule[],
  parsed: ParsedCommand,
): { readonly rule: PermissionRule; readonly isSure: boolean } | undefined {
  const { parts, unclear, command, isHiding } = parsed
  let vague = isHiding ? rules[0]?.rule : undefined
  for (const { rule, pattern } of rules) {
    if (pattern.text === command.trim() || (pattern.kind === 'wild' && fitsWildcards(pattern.text, command.trim())))
      return { rule, isSure: true }
    if (unclear.length > 0 && standsIn(pattern, command)) return { rule, isSure: true }
    for (const part of parts) {
      const match = broadlyMatches(pattern, part)
      if (match === 'yes') return { rule, isSure: true }
      if (match === 'maybe') vague ??= rule
    }
  }
  return vague && { rule: vague, isSure: false }
}

/** The rule that allows a whole command line, to the letter. */
function wholeRule(rules: readonly CommandRule[], { command }: ParsedCommand): PermissionRule | undefined {
  return rules.find(({ pattern: { kind, text } }) => kind === 'exact' && text === command.trim())?.rule
}

/** The rule that plainly allows a part, with all that its words make it do; or the word that goes beyond the rule. */
function plainRule(
  rules: readonly CommandRule[],
  part: CommandPart,
): { readonly rule?: PermissionRule; readonly beyond?: string } {
  let beyond: string | undefined
  if (!setsNothing(part)) return { beyond: part.assignments.map(({ name }) => `${name}=`).join(' ') }
  for (const { rule, pattern } of rules) {
    if (!plainlyMatches(pattern, part)) continue
    const risky = pattern.kind === 'exact' ? undefined : riskyWord(part, pattern.words)
    if (risky === undefined) return { rule }
    beyond ??= risky
  }
  return beyond === undefined ? {} : { beyond }
}

type Word = FileAccess['word']

const TOOLS = { read: 'Read', write: 'Edit' } as const

/** Rules that forbid a file, or ask, for every word that may name it: best effort, since a program may open anything. */
function judgeForbiddenFiles({ parts }: ParsedCommand, setting: JudgeSetting): Judgement[] {
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

function forbidden(kind: PathAccess['kind'], word: Word, part: CommandPart, setting: JudgeSetting): Judgement[] {
  const paths = wordPaths(word, part)
  if (!paths) {
    const reason = `Rules speak of files to ${kind}, and which one '${word.source}' names is not known before it runs.`
    return [{ verdict: 'ask', reason, isGuess: true }]
  }
  return paths.flatMap((path) => {
    const access = { kind, tool: TOOLS[kind], ...path }
    return judgeByRules(access, setting) ?? (kind === 'write' ? judgeFolder(access, setting) : undefined) ?? []
  })
}

/** What the workspace, sensitive places and the mode make of what a part plainly opens. */
function judgeOpenedFiles(
  part: CommandPart,
  files: readonly FileAccess[],
  rule: PermissionRule | undefined,
  setting: JudgeSetting,
): Judgement[] {
  // A rule for the command speaks of the files in its words, but not of redirections; a rule for all of Bash of both.
  const isSpokenOf = (file: FileAccess) => rule !== undefined && (rule.subject === undefined || !file.isRedirect)
  return files.flatMap((file) => {
    const { kind, word } = file
    if (kind === 'read' && word.kind !== 'static' && !leavesWorkspace(word, part, setting)) return []
    const paths = kind === 'read' || word.kind === 'static' ? wordPaths(word, part) : undefined
    if (!paths) return kind === 'read' && word.kind === 'static' ? [] : [unknownTarget(word)]
    const mode = isSpokenOf(file) && setting.mode === 'default' ? 'accept-edits' : setting.mode
    return paths.map((path) => judgePath({ kind, tool: TOOLS[kind], ...path }, { ...setting, mode }))
  })
}

function unknownTarget({ source }: Word): Judgement {
  return { verdict: 'ask', reason: `Where '${source}' leads is not known before it runs.` }
}

/** Patterns below the working folder are not looked up unless a rule asks for it. */
function leavesWorkspace({ kind, text }: Word, { folders }: CommandPart, { cwd }: JudgeSetting): boolean {
  const isElsewhere = folders.some((folder) => folder !== cwd)
  return kind === 'glob' && (isElsewhere || text.startsWith('/') || text.includes('..'))
}
