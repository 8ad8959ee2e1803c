import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Tool, ToolCall } from '@nacre/core'
import { fitsWildcards } from '@nacre/core/node'
import { isInDomain } from '../domains.js'
import type { Access } from '../sandbox/sandbox.js'
import { judgeCommand } from './judge-command.js'
import { type JudgeSetting, judgePath, pathAccess } from './judge-path.js'
import { searchDomain } from './judge-search.js'
import {
  citeRule,
  coversTool,
  EDITING_TOOLS,
  type Judgement,
  type PermissionRule,
  READING_TOOLS,
  RULE_VERDICTS,
  type RuleVerdict,
  SEARCHING_TOOLS,
  SESSION_TOOLS,
  strictest,
} from './permission-rule.js'

type Input = Readonly<Record<string, unknown>>

/** What rules and the mode make of a call. */
export function judgeCall(call: ToolCall, tool: Tool, setting: JudgeSetting): Judgement {
  const input = inputOf(call, tool)
  const { name } = call
  if (name === 'Bash' && typeof input.command === 'string') {
    const { command, access, reason } = input
    const asked = {
      access: isAccess(access) ? access : 'read',
      reason: typeof reason === 'string' ? reason : undefined,
    } as const
    return judgeCommand(command, asked, setting)
  }
  if (READING_TOOLS.has(name) || EDITING_TOOLS.has(name)) return judgeFileCall(name, input, setting)
  return judgeByName(call, tool, input, setting)
}

function isAccess(value: unknown): value is Access {
  return value === 'read' || value === 'write' || value === 'outside'
}

/** As the tool will get it, so that what is judged is what will run. */
function inputOf(call: ToolCall, tool: Tool): Input {
  try {
    return Object(tool.schema.parse(call.input)) as Input
  } catch {
    return Object(call.input) as Input
  }
}

function judgeFileCall(name: string, input: Input, setting: JudgeSetting): Judgement {
  const kind = EDITING_TOOLS.has(name) ? 'write' : 'read'
  const findings = pathsOf(name, input, setting.cwd).map((path) => {
    const access = pathAccess(kind, name, path)
    setting.note(access)
    return judgePath(access, setting)
  })
  return strictest(findings) ?? { verdict: 'ask', reason: `${name} names no file.` }
}

const PATH_FIELDS = ['file_path', 'notebook_path', 'path', 'filePath']

function pathsOf(name: string, input: Input, cwd: string): string[] {
  const named = PATH_FIELDS.flatMap((field) => (typeof input[field] === 'string' ? [input[field] as string] : []))
  if (!SEARCHING_TOOLS.has(name)) return named.flatMap((path) => readings(path, cwd))
  const folder = named[0] ?? '.'
  // A pattern may lead out of the folder, or name one file in it.
  const patterns = ['glob', ...(name === 'Glob' ? ['pattern'] : [])].flatMap((field) =>
    typeof input[field] === 'string' ? [fixedPart(input[field] as string)] : [],
  )
  return [folder, ...patterns.map((pattern) => resolve(resolve(cwd, folder), pattern))].flatMap((path) =>
    readings(path, cwd),
  )
}

/** A tilde may be a home or a name. */
function readings(path: string, cwd: string): string[] {
  const home = path === '~' || path.startsWith('~/') ? [join(homedir(), path.slice(1))] : []
  return [resolve(cwd, path), ...home]
}

function fixedPart(pattern: string): string {
  const segments = pattern.split('/')
  const wild = segments.findIndex((segment) => /[*?[{!]/.test(segment))
  return wild === -1 ? pattern : segments.slice(0, wild).join('/') || (pattern.startsWith('/') ? '/' : '.')
}

function judgeByName(call: ToolCall, tool: Tool, input: Input, { rules, mode }: JudgeSetting): Judgement {
  const { name } = call
  const matching = rules.filter((rule) => coversTool(rule.tool, name) && speaksOf(rule, name, input))
  for (const verdict of RULE_VERDICTS) {
    const rule = matching.find((candidate) => candidate.verdict === verdict)
    if (!rule || (verdict === 'ask' && mode === 'bypass')) continue
    if (verdict === 'allow' && mode === 'plan' && !isReadOnly(tool, input)) continue
    return { verdict, reason: `${citeRule(rule)} speaks of ${name}.`, rule }
  }
  if (SESSION_TOOLS.has(name)) return { verdict: 'pass', reason: `${name} touches nothing but the session.` }
  if (mode === 'bypass') return { verdict: 'allow', reason: 'The mode is bypass.' }
  if (name === 'WebFetch') return { verdict: 'ask', reason: `No rule speaks of ${String(input.url)}.` }
  if (name === 'WebSearch') return { verdict: 'ask', reason: `No rule speaks of the search "${String(input.query)}".` }
  if (isReadOnly(tool, input)) return { verdict: 'pass', reason: `${name} only reads.` }
  if (mode === 'plan') return { verdict: 'deny', reason: `The mode is plan, which only reads, and ${name} does more.` }
  return { verdict: 'ask', reason: `No rule speaks of ${name}.` }
}

const NAMES = ['name', 'skill', 'agent', 'subagent_type']

function speaksOf({ subject, verdict }: PermissionRule, name: string, input: Input): boolean {
  if (subject === undefined) return true
  if (name === 'WebFetch') return matchesDomain(subject, input.url, verdict)
  if (name === 'WebSearch') return speaksOfSearch(subject, input.allowed_domains, verdict)
  return NAMES.some((field) => typeof input[field] === 'string' && fitsWildcards(subject, input[field] as string))
}

/** A search is allowed where it names domains and each is allowed; it is forbidden or asked about where it names one that is. */
function speaksOfSearch(subject: string, domains: unknown, verdict: RuleVerdict): boolean {
  const named = Array.isArray(domains) ? domains.map(String) : []
  const isIn = (domain: string) => isInDomain(domain, searchDomain(subject))
  return verdict === 'allow' ? named.length > 0 && named.every(isIn) : named.some(isIn)
}

function isReadOnly(tool: Tool, input: Input): boolean {
  try {
    // What is asked may be anybody's tool: only a plain yes counts.
    return tool.isReadOnly(input) === true
  } catch {
    return false
  }
}

/** Whether a rule such as `domain:example.com` speaks of an address. What forbids speaks of the hosts below it too. */
function matchesDomain(subject: string, address: unknown, verdict: RuleVerdict): boolean {
  const host = hostOf(String(address))
  const domain = hostOf(`http://${subject.replace(/^domain:(\*\.)?/, '')}`)
  if (host === undefined || domain === undefined) return false
  const isBelow = host.endsWith(`.${domain}`)
  if (subject.startsWith('domain:*.')) return isBelow || (verdict !== 'allow' && host === domain)
  return host === domain || (verdict !== 'allow' && isBelow)
}

function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname } = new URL(address)
  return protocol === 'http:' || protocol === 'https:' ? hostname.replace(/\.$/, '') : undefined
}
