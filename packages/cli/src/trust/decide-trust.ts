import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { readSmallFile } from '@nacre/core/node'
import { type LoadedSettings, packageOf, type Settings } from '../settings/settings.js'
import { isTrusted, trust } from './trusted-folders.js'

/** Something of a folder that takes effect only when the folder is trusted. */
interface TrustItem {
  readonly kind: 'hook' | 'server' | 'plugin' | 'permission' | 'flag' | 'agent'
  /** For the person who decides: what would run, or what would be allowed. */
  readonly what: string
  readonly file: string
}

/** What a person has to know to trust a folder or not. */
export interface TrustQuestion {
  readonly folder: string
  /** What the folder would start or allow; never empty. */
  readonly items: readonly TrustItem[]
}

interface TrustDecision {
  readonly isTrusted: boolean
  /** What the folder names and does not get. */
  readonly withheld: readonly TrustItem[]
}

/** Whether what a folder brings along takes effect. A person is asked only where there is something to decide about. */
export async function decideTrust(
  { loaded, data, now }: { readonly loaded: LoadedSettings; readonly data: string; now(): number },
  ask?: (question: TrustQuestion) => Promise<boolean>,
): Promise<TrustDecision> {
  const { root } = loaded
  if (await isTrusted(data, root)) return { isTrusted: true, withheld: [] }
  const items = await whatNeedsTrust(loaded)
  if (items.length === 0) return { isTrusted: false, withheld: [] }
  const isWanted = (await ask?.({ folder: root, items })) ?? false
  if (!isWanted) return { isTrusted: false, withheld: items }
  await trust(data, root, now())
  return { isTrusted: true, withheld: [] }
}

/** One line for people about what was left out, and how to get it. */
export function withheldNotice(root: string, items: readonly TrustItem[]): string {
  const count = (kind: TrustItem['kind'], one: string, more: string) => {
    const { length } = items.filter((item) => item.kind === kind)
    return length === 0 ? [] : [`${length} ${length === 1 ? one : more}`]
  }
  const parts = [
    ...count('hook', 'hook', 'hooks'),
    ...count('server', 'MCP server', 'MCP servers'),
    ...count('plugin', 'plugin', 'plugins'),
    ...count('permission', 'permission', 'permissions'),
    ...count('flag', 'flag', 'flags'),
    ...count('agent', 'agent', 'agents'),
  ]
  return `${root} is not trusted, so these of its settings are left out: ${parts.join(', ')}. See them with: nacre trust --show; trust the folder with: nacre trust`
}

/** All that a folder would start or allow, so that a person can decide about it. */
export async function whatNeedsTrust({ root, files }: LoadedSettings): Promise<readonly TrustItem[]> {
  const named = files
    .filter(({ level }) => level !== 'user')
    .flatMap(({ path, settings }) => itemsIn(settings).map((item) => ({ ...item, file: path })))
  const file = join(root, '.mcp.json')
  const servers = (await serversIn(file)).map((what) => ({ kind: 'server' as const, what, file }))
  return [...named, ...servers, ...(await agentsIn(root))].map((item) => ({ ...item, what: visible(item.what) }))
}

type Item = Omit<TrustItem, 'file'>

function itemsIn({
  hooks = {},
  plugins = [],
  permissions = {},
  flags = {},
  cache,
  dream,
  agents,
  webSearch,
  sandbox = {},
}: Settings): Item[] {
  const { allow = [], workspace = [], mode } = permissions
  // To hide more from commands needs no trust.
  const { hidden: _, ...where } = sandbox
  const item = (kind: TrustItem['kind']) => (what: string) => ({ kind, what })
  return [
    ...Object.entries(hooks).flatMap(([hook, commands = []]) =>
      commands.map(({ command }) => ({ kind: 'hook' as const, what: `${hook} runs: ${command}` })),
    ),
    ...plugins.map((plugin) => `loads the package ${packageOf(plugin)}`).map(item('plugin')),
    ...allow.map((rule) => `allows ${rule}`).map(item('permission')),
    ...workspace.map((folder) => `opens the folder ${folder}`).map(item('permission')),
    ...(mode && mode !== 'default' ? [`sets the mode ${mode}`] : []).map(item('permission')),
    ...(cache ? [`sets how the cache is used and paid: ${JSON.stringify(cache)}`] : []).map(item('permission')),
    ...(dream ? [`sets when memory works and what it may cost: ${JSON.stringify(dream)}`] : []).map(item('permission')),
    ...(agents ? [`sets how far agents may go: ${JSON.stringify(agents)}`] : []).map(item('permission')),
    ...(webSearch ? [`sets who searches the web: ${JSON.stringify(webSearch)}`] : []).map(item('permission')),
    ...(Object.keys(where).length > 0 ? [`sets where commands run: ${JSON.stringify(where)}`] : []).map(
      item('permission'),
    ),
    ...Object.entries(flags)
      .map(([name, value]) => `switches ${name} ${value ? 'on' : 'off'}`)
      .map(item('flag')),
  ]
}

const AGENT_FOLDERS = ['.claude/agents', '.nacre/agents']
const MOST_AGENTS = 200

/** Definitions of agents say what an agent is told and may do. Their names are enough for a person to look them up. */
async function agentsIn(root: string): Promise<readonly TrustItem[]> {
  const found = await Promise.all(
    AGENT_FOLDERS.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true }).catch((): string[] => [])
      const files = names.filter((name) => name.endsWith('.md')).toSorted()
      return files.slice(0, MOST_AGENTS).map((name) => join(root, folder, name))
    }),
  )
  return found.flat().map((file) => ({ kind: 'agent', what: `defines an agent: ${basename(file, '.md')}`, file }))
}

/** As far as it can be read: what is wrong with the file is said when a session starts. */
async function serversIn(file: string): Promise<readonly string[]> {
  const bytes = await readSmallFile(file).catch(() => undefined)
  try {
    const { mcpServers = {} } = JSON.parse(bytes?.toString() ?? '{}') as {
      readonly mcpServers?: Record<string, Server>
    }
    return Object.entries(mcpServers).map(([name, { command, args = [], env = {}, url }]) => {
      // A variable may name a program as well as a command does.
      const words = [...Object.entries(env).map(([key, value]) => `${key}=${value}`), command, ...args]
      return url === undefined ? `${name} runs: ${words.join(' ')}` : `${name} is reached at ${url}`
    })
  } catch {
    return []
  }
}

interface Server {
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly url?: string
}

/** A folder must not be able to hide what it would run behind characters that move the cursor or do not show. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}
