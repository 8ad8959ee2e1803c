import type { PluginLike } from './session-like.js'

interface Disposable {
  dispose?(): unknown
}

/** The plugin itself, but for this: when a session disposes it, it is disposed twice. */
export function watchedPlugin(plugin: PluginLike): PluginLike {
  const setup = async (context: never) => {
    const contribution = (await plugin.setup(context)) as Disposable
    const dispose = async () => {
      await contribution.dispose?.()
      await contribution.dispose?.()
    }
    return { ...contribution, dispose }
  }
  return Object.create(plugin, { setup: { value: setup } }) as PluginLike
}
