import type { HookContext, Plugin } from '@nacre/core'

export interface Watched<Flag extends string> {
  readonly plugin: Plugin<Flag>
  /** Resolves when no background work of the plugin runs. */
  idle(): Promise<void>
}

/** A plugin whose background work can be waited for. */
export function watched<Flag extends string>(plugin: Plugin<Flag>): Watched<Flag> {
  const running = new Set<Promise<void>>()
  const watch = (context: HookContext): HookContext => ({
    ...context,
    defer: (work) =>
      context.defer((signal) => {
        const done = work(signal)
        running.add(done)
        return done.finally(() => running.delete(done))
      }),
  })
  return {
    plugin: {
      ...plugin,
      async setup(setup) {
        const { hooks = {}, ...rest } = await plugin.setup(setup)
        const heard = hooks.PostModelCall
        if (typeof heard !== 'function') return { hooks, ...rest }
        return { ...rest, hooks: { ...hooks, PostModelCall: (event, context) => heard(event, watch(context)) } }
      },
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
