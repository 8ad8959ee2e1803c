import type { HookName, Inspection } from '@nacre/core'
import { cleanText } from '../../text/clean-text.js'
import { misuse } from '../misuse.js'
import { say } from '../say.js'
import type { SlashCommand } from '../slash-command.js'
import { definitions } from '../text/definitions.js'

/** Which plugin listens to what, in the order in which they are asked. */
export const hooksCommand: SlashCommand = {
  name: 'hooks',
  help: 'Shows which plugins listen to which hook, in the order in which they are asked.',
  example: '/hooks',
  async run(args, context) {
    if (args !== '') return misuse('/hooks takes no arguments.', hooksCommand, context)
    const { session } = context.opened
    const { plugins } = await session.inspect()
    const states = new Map(session.flags.list().map(({ name, value }) => [name, value]))
    const listeners = listenersIn(plugins)
    if (listeners.size === 0) return say('No plugin listens to any hook.', context)
    const terms = [...listeners].map(([hook, all]) => {
      const names = inOrder(all).map(({ plugin, order }) => {
        const notes = [...(order === 'normal' ? [] : [order]), ...(states.get(plugin) === false ? ['off'] : [])]
        return notes.length > 0 ? `${plugin} (${notes.join(', ')})` : plugin
      })
      return [hook, cleanText(names.join(', '))] as const
    })
    return { text: definitions(terms, context).join('\n') }
  },
}

interface Listener {
  readonly plugin: string
  readonly order: 'pre' | 'normal' | 'post'
}

const ORDERS = ['pre', 'normal', 'post'] as const

function inOrder(listeners: readonly Listener[]): readonly Listener[] {
  return ORDERS.flatMap((order) => listeners.filter((listener) => listener.order === order))
}

function listenersIn(plugins: Inspection['plugins']): ReadonlyMap<string, readonly Listener[]> {
  const found = new Map<string, Listener[]>()
  for (const { name: plugin, contribution } of plugins) {
    for (const hook of Object.keys(contribution.hooks ?? {}) as HookName[]) {
      const placed = contribution.hooks?.[hook]
      if (!placed) continue
      const order = typeof placed === 'function' ? 'normal' : (placed.order ?? 'normal')
      found.set(hook, [...(found.get(hook) ?? []), { plugin, order }])
    }
  }
  return found
}
