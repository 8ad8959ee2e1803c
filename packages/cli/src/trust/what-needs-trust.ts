import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LoadedSettings } from '../settings/load-settings.js'
import { packageOf } from '../settings/merge-settings.js'
import type { Settings } from '../settings/settings.js'

/** Something of a folder that takes effect only when the folder is trusted. */
export interface TrustItem {
  readonly kind: 'hook' | 'server' | 'plugin' | 'permission' | 'flag'
  /** For the person who decides: what would run, or what would be allowed. */
  readonly what: string
  readonly file: string
}

/** All that a folder would start or allow, so that a person can decide about it. */
export async function whatNeedsTrust({ root, files }: LoadedSettings): Promise<readonly TrustItem[]> {
  const named = files
    .filter(({ level }) => level !== 'user')
    .flatMap(({ path, settings }) => itemsIn(settings).map((item) => ({ ...item, file: path })))
  const file = join(root, '.mcp.json')
  const servers = (await serversIn(file)).map((what) => ({ kind: 'server' as const, what, file }))
  return [...named, ...servers].map((item) => ({ ...item, what: visible(item.what) }))
}

type Item = Omit<TrustItem, 'file'>

function itemsIn({ hooks = {}, plugins = [], permissions = {}, flags = {} }: Settings): Item[] {
  const { allow = [], workspace = [], mode } = permissions
  const item = (kind: TrustItem['kind']) => (what: string) => ({ kind, what })
  return [
    ...Object.entries(hooks).flatMap(([hook, commands = []]) =>
      commands.map(({ command }) => ({ kind: 'hook' as const, what: `${hook} runs: ${command}` })),
    ),
    ...plugins.map((plugin) => `loads the package ${packageOf(plugin)}`).map(item('plugin')),
    ...allow.map((rule) => `allows ${rule}`).map(item('permission')),
    ...workspace.map((folder) => `opens the folder ${folder}`).map(item('permission')),
    ...(mode && mode !== 'default' ? [`sets the mode ${mode}`] : []).map(item('permission')),
    ...Object.entries(flags)
      .map(([name, value]) => `switches ${name} ${value ? 'on' : 'off'}`)
      .map(item('flag')),
  ]
}

/** As far as it can be read: what is wrong with the file is said when a session starts. */
async function serversIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  try {
    const { mcpServers = {} } = JSON.parse(text) as { readonly mcpServers?: Record<string, Server> }
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
