import { definePlugin } from '@nacre/core'

/**
 * Hears every hook of the list and answers none. `pre`: before all the others, so that it hears a gate that one of them
 * closes; nobody is asked after that.
 * @param {readonly import('@nacre/core').HookName[]} names
 * @param {(name: string, detail: string) => void} heard
 */
export function listener(names, heard) {
  return definePlugin({
    name: 'listener',
    setup() {
      const hooks = names.map((name) => {
        /** @param {object} event */
        const handler = (event) => void heard(name, detailOf(event))
        return [name, { order: 'pre', handler }]
      })
      return { hooks: Object.fromEntries(hooks) }
    },
  })
}

/**
 * What tells two events of one hook apart.
 * @param {{ source?: string, trigger?: string, reason?: string, times?: number, call?: { input: object }, value?: { input?: object } }} event
 */
function detailOf({ source, trigger, reason, times, call, value }) {
  const input = call?.input ?? value?.input
  return String(source ?? trigger ?? reason ?? times ?? (input && Object.values(input)[0]) ?? '')
}
