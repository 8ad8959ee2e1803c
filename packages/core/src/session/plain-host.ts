import type { Dispatcher } from '../contract/hooks.js'
import { NacreError } from '../nacre-error.js'
import { claimNames } from '../plugins/claim-names.js'
import type { Host } from './with-actions.js'

const nothing = async () => undefined

/** Nobody listens. */
const silent: Dispatcher = {
  collect: async () => [],
  transform: async (_name, { value }) => ({ value, changes: [] }),
  decide: nothing,
}

/** A session without plugins: its own prompt and tools, and nobody to ask, to tell or to wait for. */
export const plainHost: Host = {
  createFlags: () => ({
    isOn(name) {
      throw new NacreError('UNKNOWN_FLAG', `There is no flag '${name}': the session has no plugins.`)
    },
    list: () => [],
    refresh: nothing,
  }),
  async loadPlugins({ plugins, context: shared }) {
    const context = { ...shared, flag: () => true }
    const claim = claimNames()
    const loaded = plugins.map(async ({ name, setup }) => {
      const contribution = await setup(context)
      claim(name, contribution)
      return { name, scope: 'all' as const, contribution, context, milliseconds: 0 }
    })
    return { plugins: await Promise.all(loaded), dispose: nothing }
  },
  createDispatcher: () => silent,
  createBackground: () => ({
    defer: nothing,
    propose: async () => ({ refused: 'The session has no plugins.' }),
    settle: nothing,
    close: nothing,
  }),
  createNotes: () => ({
    give: nothing,
    flush: nothing,
    collect: async (work) => ({ value: await work(), notes: [] }),
  }),
}
