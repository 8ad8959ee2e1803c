import { dirname, relative, resolve } from 'node:path'
import { NacreError, type ToolCall } from '@nacre/core'
import { costlyGlob, isCostlyGlob } from '../costly-glob.js'
import type { Cage } from '../sandbox/sandbox.js'
import { setsNothing } from './shell/command-files.js'
import { riskyWord } from './shell/match-command.js'
import { type CommandPart, nameOf, parseCommand } from './shell/parse-command.js'

/** Strictest first: of two rules that speak of the same call, the one with the stricter verdict wins at whatever level. */
export const RULE_VERDICTS = ['deny', 'ask', 'allow'] as const

export type RuleVerdict = (typeof RULE_VERDICTS)[number]

export type RuleLevel = 'managed' | 'user' | 'project' | 'local' | 'option' | 'session'

/** Where a rule came from; `file` where it was read from one. */
export interface RuleOrigin {
  readonly level: RuleLevel
  readonly file?: string
}

/** One rule: a verdict on the calls of a tool, all of them or those that `subject` describes. */
export interface PermissionRule {
  readonly verdict: RuleVerdict
  /** As it was written: `Bash(git diff:*)`. */
  readonly text: string
  readonly tool: string
  readonly subject?: string
  readonly origin: RuleOrigin
}

/** A rule as the reason of a verdict. */
export function citeRule({ verdict, text, origin }: PermissionRule): string {
  return `The ${verdict} rule ${text} (${describeOrigin(origin)})`
}

/** A rule for people: what it says and where it stands. */
export function describeRule({ verdict, text, origin }: PermissionRule): string {
  return `${verdict} ${text} (${describeOrigin(origin)})`
}

function describeOrigin({ level, file }: RuleOrigin): string {
  return file === undefined ? PLACES[level] : `${level} settings, ${file}`
}

const PLACES: Record<RuleLevel, string> = {
  managed: 'managed settings',
  user: 'user settings',
  project: 'project settings',
  local: 'local settings',
  option: 'given by the program',
  session: 'added in this session',
}

/** What happens to a call that no rule speaks of: see the table in the documentation. */
export type PermissionMode = 'default' | 'accept-edits' | 'plan' | 'bypass'

export const PERMISSION_MODES: readonly PermissionMode[] = ['default', 'accept-edits', 'plan', 'bypass']

/** How the command line spells some of them. */
export const MODE_SPELLINGS: Readonly<Record<string, PermissionMode>> = {
  acceptEdits: 'accept-edits',
  bypassPermissions: 'bypass',
}

/** Whether a word from outside names a mode. */
export function isPermissionMode(value: unknown): value is PermissionMode {
  return PERMISSION_MODES.includes(value as PermissionMode)
}

/** What the rules and the mode make of a call. `pass`: they have nothing to say, and the tool's own check decides. */
export interface Judgement {
  readonly verdict: RuleVerdict | 'pass'
  /** Names the rule and where it came from, or the mode. */
  readonly reason: string
  readonly rule?: PermissionRule
  /** Of a command: the cage in which it runs if it does. */
  readonly cage?: Cage | 'outside'
  /** A rule may speak of it, which is not known before it runs: a cage makes sure that it does no harm. */
  readonly isGuess?: true
}

const STRICTNESS = ['deny', 'ask', 'allow', 'pass'] as const

/** Of all that was found, the strictest; of two alike the first. */
export function strictest(findings: readonly Judgement[]): Judgement | undefined {
  let worst: Judgement | undefined
  for (const finding of findings) {
    if (!worst || STRICTNESS.indexOf(finding.verdict) < STRICTNESS.indexOf(worst.verdict)) worst = finding
  }
  return worst
}

/** Rules for Read speak of these too. */
export const READING_TOOLS: ReadonlySet<string> = new Set(['Read', 'Grep', 'Glob', 'NotebookRead', 'LS'])

/** Those of them that look into a folder and all below. */
export const SEARCHING_TOOLS: ReadonlySet<string> = new Set(['Grep', 'Glob', 'LS'])

/** Rules for Edit speak of these too. */
export const EDITING_TOOLS: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])

/** Tools that touch nothing but the session itself: nobody is asked, in no mode. */
export const SESSION_TOOLS: ReadonlySet<string> = new Set([
  'Agent',
  'AgentMemory',
  'Agents',
  'AskUser',
  'BashOutput',
  'EnterPlanMode',
  'ExitPlanMode',
  'KillBash',
  'SendMessage',
  'Skill',
  'Todo',
  'ToolSearch',
])

/** Whether a rule that names one tool speaks of another one. */
export function coversTool(ruleTool: string, tool: string): boolean {
  if (ruleTool === tool) return true
  if (ruleTool === 'Read') return READING_TOOLS.has(tool)
  if (ruleTool === 'Edit') return EDITING_TOOLS.has(tool)
  if (!ruleTool.startsWith('mcp__')) return false
  return ruleTool.endsWith('*') ? tool.startsWith(ruleTool.slice(0, -1)) : tool.startsWith(`${ruleTool}__`)
}

/** Reads a rule such as `Bash(git diff:*)`, or throws with the place it stands at and what is wrong with it. */
export function parseRule(text: unknown, verdict: RuleVerdict, origin: RuleOrigin): PermissionRule {
  const fail = (problem: string): never => {
    const culprit = typeof text === 'string' ? `'${text}'` : JSON.stringify(text)
    const message = `The ${verdict} rule ${culprit} (${describeOrigin(origin)}) is broken: ${problem}`
    throw new NacreError('INVALID_SETTINGS', message)
  }
  if (typeof text !== 'string') return fail('a rule is a text, such as "Bash(npm run test)".')
  const [, tool, subject] = RULE.exec(text.trim()) ?? []
  if (tool === undefined) return fail('it has to be Tool or Tool(what), such as Read(src/**).')
  const problem = subject === undefined ? problemOfTool(tool) : problemOfSubject(tool, subject)
  if (problem !== undefined) fail(problem)
  const rule = { verdict, text: text.trim(), tool, origin }
  return subject === undefined || EVERYTHING.has(subject) ? rule : { ...rule, subject }
}

const RULE = /^([A-Za-z][\w*-]*)(?:\((.*)\))?$/s
const EVERYTHING = new Set(['*', ':*'])

function problemOfTool(tool: string): string | undefined {
  if (!tool.includes('*')) return undefined
  const isServer = tool.startsWith('mcp__') && tool.indexOf('*') === tool.length - 1
  return isServer ? undefined : 'a star stands for many tools only at the end of the name of an MCP tool.'
}

function problemOfSubject(tool: string, subject: string): string | undefined {
  if (subject.length > MOST_CHARACTERS) return `it has more than ${MOST_CHARACTERS} characters. Make it shorter.`
  if (subject.trim() === '') return 'there is nothing between the brackets. Leave them out to speak of every call.'
  if (tool.startsWith('mcp__')) return 'rules for MCP tools take no brackets.'
  if (tool === 'Bash') return problemOfCommand(subject)
  if (DOMAIN_TOOLS.has(tool)) return problemOfDomain(subject, tool)
  return READING_TOOLS.has(tool) || EDITING_TOOLS.has(tool) ? problemOfPath(subject) : undefined
}

/** Rules for these name a domain. `Network` is what commands in the sandbox reach. */
const DOMAIN_TOOLS = new Set(['WebFetch', 'WebSearch', 'Network'])

function problemOfPath(subject: string): string | undefined {
  if (subject.includes('\0')) return 'a path has no zero in it.'
  try {
    if (isCostlyGlob(subject)) costlyGlob(subject, { dots: true, hasBraces: false })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const MOST_CHARACTERS = 10_000

function problemOfCommand(subject: string): string | undefined {
  const colon = subject.indexOf(':*')
  if (colon !== -1 && colon !== subject.length - 2) return "':*' stands only at the end."
  const { parts, unclear, isHiding } = parseCommand(colon === -1 ? subject : subject.slice(0, colon), '/')
  if (unclear.length > 0 && !isHiding && (colon !== -1 || subject.includes('*')))
    return `it is no command: ${unclear[0]}.`
  if (colon !== -1 && parts.filter(({ parent }) => parent === undefined).length !== 1)
    return "what stands before ':*' has to be one command."
  return undefined
}

function problemOfDomain(subject: string, tool: string): string | undefined {
  const domain = /^domain:(\*\.)?([a-z0-9\u0080-\uffff._-]+|\[[0-9a-f:.]+\])$/i.test(subject)
  return domain ? undefined : `it has to name a domain, such as ${tool}(domain:example.com).`
}

/** The rule that a host can offer as 'always allow' for a call; nothing where no rule would say plainly what it allows. */
export function suggestRule(call: ToolCall, cwd = '.'): string | undefined {
  const input = Object(call.input) as Record<string, unknown>
  const { name } = call
  if (name === 'Bash') return typeof input.command === 'string' ? commandRule(input.command, cwd) : undefined
  if (READING_TOOLS.has(name) || EDITING_TOOLS.has(name)) {
    const path = [input.file_path, input.notebook_path, input.path].find((value) => typeof value === 'string')
    const family = EDITING_TOOLS.has(name) ? 'Edit' : 'Read'
    return typeof path === 'string' ? `${family}(${folderPattern(path, cwd, name)})` : family
  }
  if (name === 'WebFetch') {
    const { url } = input
    return typeof url === 'string' && URL.canParse(url) ? `WebFetch(domain:${new URL(url).hostname})` : undefined
  }
  if (name === 'Skill') return typeof input.name === 'string' ? `Skill(${input.name})` : undefined
  return name
}

function folderPattern(path: string, cwd: string, tool: string): string {
  const folder = SEARCHING_TOOLS.has(tool) ? resolve(cwd, path) : dirname(resolve(cwd, path))
  const way = relative(resolve(cwd), folder)
  const shown = way === '' ? '.' : way.startsWith('..') ? folder : way
  const pattern = shown.replace(/[*?[\]]/g, '\\$&')
  return pattern === '.' ? '**' : `${pattern.replace(/\/$/, '')}/**`
}

/** Commands whose next words say what they do: how many of them stand in a rule. */
const DEPTHS: Readonly<Record<string, number>> = {
  bundle: 2,
  cargo: 1,
  composer: 1,
  dotnet: 1,
  gh: 2,
  git: 1,
  go: 1,
  gradle: 1,
  just: 1,
  make: 1,
  mvn: 1,
  npm: 1,
  pip: 1,
  pip3: 1,
  pnpm: 1,
  poetry: 1,
  uv: 1,
  yarn: 1,
}
const SCRIPTS = new Set(['run', 'run-script', 'exec'])

/** Too much may follow these for a prefix. */
const UNBOUNDED = new Set(
  '. source bash sh zsh dash ksh eval exec sudo doas su ssh scp rsync curl wget rm mv dd chmod chown kill python python3 node perl ruby php env xargs npx find awk sed docker kubectl terraform'.split(
    ' ',
  ),
)

function commandRule(command: string, cwd: string): string | undefined {
  const { parts, unclear } = parseCommand(command, resolve(cwd))
  const isOneLine = !/[\n\r]/.test(command)
  if (unclear.length > 0) return undefined
  const own = parts.filter(({ wrapper }) => wrapper !== 'transparent')
  const [part] = own
  const prefix = own.length === 1 && part && prefixOf(part)
  if (prefix) return `Bash(${prefix}:*)`
  const isShort = command.length <= MOST_CHARACTERS
  return isOneLine && isShort && !command.includes('*') && !command.trim().endsWith(':')
    ? `Bash(${command.trim()})`
    : undefined
}

function prefixOf(part: CommandPart): string | undefined {
  const name = nameOf(part)
  if (name === undefined || part.redirects.length > 0 || part.wrapper || !setsNothing(part)) return undefined
  if (part.words.some(({ kind }) => kind !== 'static') || !/^[\w.-]+$/.test(name)) return undefined
  const words = part.words.slice(0, 1 + depthOf(part)).map(({ text }) => text)
  const isPlain = words.every((word) => /^[\w.:@/-]+$/.test(word) && !word.startsWith('-'))
  const isBounded = words.length > 1 || !UNBOUNDED.has(name)
  return isPlain && isBounded && riskyWord(part, words) === undefined ? words.join(' ') : undefined
}

function depthOf({ words: [name, first] }: CommandPart): number {
  const depth = (Object.hasOwn(DEPTHS, name?.text ?? '') && DEPTHS[name?.text ?? '']) || 0
  return depth > 0 && first && SCRIPTS.has(first.text) ? depth + 1 : depth
}
