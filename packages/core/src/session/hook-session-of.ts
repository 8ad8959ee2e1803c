import type { HookSession } from '../hooks/handler-context.js'
import type { Runtime } from './runtime.js'

/** A session as hooks and commands of its plugins meet it. */
export function hookSessionOf({
  id,
  status,
  background,
  fork,
  view,
  isOn,
}: Pick<Runtime, 'id' | 'status' | 'background' | 'fork' | 'view' | 'isOn'>): HookSession {
  return {
    sessionId: id,
    source: 'main',
    get signal() {
      return status.signal
    },
    view,
    // What a plugin has begun while it was on may come to its end when it is off.
    propose: async (owner, draft) =>
      isOn(owner) ? background.propose(owner, draft) : { refused: `Plugin '${owner}' is switched off.` },
    defer: background.defer,
    fork: (_owner, options) => fork(options),
  }
}
