import type { LoadedSettings } from '../settings/load-settings.js'
import { isTrusted } from '../trust/is-trusted.js'
import { trust } from '../trust/trust.js'
import { type TrustItem, whatNeedsTrust } from '../trust/what-needs-trust.js'
import type { OpenNeeds } from './open-needs.js'

export interface TrustDecision {
  readonly isTrusted: boolean
  /** What the folder names and does not get. */
  readonly withheld: readonly TrustItem[]
}

export interface TrustPlace {
  readonly loaded: LoadedSettings
  readonly data: string
  now(): number
}

/** Whether what a folder brings along takes effect. A person is asked only where there is something to decide about. */
export async function decideTrust(
  { loaded, data, now }: TrustPlace,
  { trustAsked }: Pick<OpenNeeds, 'trustAsked'> = {},
): Promise<TrustDecision> {
  const { root } = loaded
  if (await isTrusted(data, root)) return { isTrusted: true, withheld: [] }
  const items = await whatNeedsTrust(loaded)
  if (items.length === 0) return { isTrusted: false, withheld: [] }
  const isWanted = (await trustAsked?.({ folder: root, items })) ?? false
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
  ]
  return `${root} is not trusted, so these of its settings are left out: ${parts.join(', ')}. See them with: nacre trust --show; trust the folder with: nacre trust`
}
