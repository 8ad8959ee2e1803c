import type { HookSession } from '../hooks/handler-context.js'
import type { Runtime } from './runtime.js'

/** A session as hooks and commands of its plugins meet it. */
export function hookSessionOf({
  id,
  status,
  background,
  fork,
  view,
}: Pick<Runtime, 'id' | 'status' | 'background' | 'fork' | 'view'>): HookSession {
  return {
    sessionId: id,
    source: 'main',
    get signal() {
      return status.signal
    },
    view,
    propose: background.propose,
    defer: background.defer,
    fork: (_owner, options) => fork(options),
  }
}
