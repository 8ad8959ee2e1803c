import { dirname, relative, resolve } from 'node:path'
import type { ToolCall } from '@nacre/core'
import { type CommandPart, nameOf } from './shell/command-part.js'
import { setsNothing } from './shell/harmless-reads.js'
import { parseCommand } from './shell/parse-command.js'
import { unnamedPower } from './shell/powers.js'
import { EDITING_TOOLS, READING_TOOLS } from './tool-families.js'

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
  const isFolder = tool === 'Grep' || tool === 'Glob' || tool === 'LS'
  const folder = isFolder ? resolve(cwd, path) : dirname(resolve(cwd, path))
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
  return isOneLine && !command.includes('*') && !command.trim().endsWith(':') ? `Bash(${command.trim()})` : undefined
}

function prefixOf(part: CommandPart): string | undefined {
  const name = nameOf(part)
  if (name === undefined || part.redirects.length > 0 || part.wrapper || !setsNothing(part)) return undefined
  if (part.words.some(({ kind }) => kind !== 'static') || !/^[\w.-]+$/.test(name)) return undefined
  const words = part.words.slice(0, 1 + depthOf(part)).map(({ text }) => text)
  const isPlain = words.every((word) => /^[\w.:@/-]+$/.test(word) && !word.startsWith('-'))
  const isBounded = words.length > 1 || !UNBOUNDED.has(name)
  return isPlain && isBounded && unnamedPower(part, words) === undefined ? words.join(' ') : undefined
}

function depthOf({ words: [name, first] }: CommandPart): number {
  const depth = (Object.hasOwn(DEPTHS, name?.text ?? '') && DEPTHS[name?.text ?? '']) || 0
  return depth > 0 && first && SCRIPTS.has(first.text) ? depth + 1 : depth
}
