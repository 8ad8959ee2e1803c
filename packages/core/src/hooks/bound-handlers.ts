import type { HookContext, HookName, Hooks } from '../contract/hooks.js'
import type { Plugin } from '../contract/plugin.js'

/** What the dispatcher has to know of a plugin that is set up. */
export interface HookOwner {
  readonly name: string
  readonly scope?: Plugin['scope']
  readonly contribution: { readonly hooks?: Hooks }
}

/** A handler with the types of its hook erased: the dispatcher's methods put them back. */
export interface BoundHandler {
  readonly owner: string
  readonly scope: 'main' | 'all'
  readonly order: 'pre' | 'normal' | 'post'
  /** Milliseconds; a handler that limits itself asks for `Infinity`. */
  readonly timeout?: number
  handler(event: unknown, context: HookContext): unknown
}

type Registered =
  | BoundHandler['handler']
  | { readonly order?: 'pre' | 'post'; readonly timeout?: number; readonly handler: BoundHandler['handler'] }

const ORDERS = ['pre', 'normal', 'post'] as const

/** All handlers of one hook: in the order of the plugins, `pre` before and `post` after the others. */
export function boundHandlers(owners: readonly HookOwner[], name: HookName): readonly BoundHandler[] {
  const all = owners.flatMap((owner) => {
    const registered = owner.contribution.hooks?.[name] as Registered | undefined
    return registered ? [bind(owner, registered)] : []
  })
  return ORDERS.flatMap((order) => all.filter((bound) => bound.order === order))
}

function bind(owner: HookOwner, registered: Registered): BoundHandler {
  const entry = typeof registered === 'function' ? { handler: registered } : registered
  return { order: 'normal', ...entry, owner: owner.name, scope: owner.scope ?? 'main' }
}
