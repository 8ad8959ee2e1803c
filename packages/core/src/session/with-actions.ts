import { late, loadAll } from '../async/late.js'
import type { Awaitable } from '../contract/answer.js'

export type Actions = typeof import('./actions.js')
/** What stands between a session and its plugins. */
export type Host = Pick<
  Actions,
  'createFlags' | 'loadPlugins' | 'createDispatcher' | 'createBackground' | 'createNotes'
>

const load = late(() => import('./actions.js'))
let actions: Actions | undefined

/** Works with the actions of a session: at once when they are loaded, else when they are. */
export function withActions<Result>(work: (actions: Actions) => Awaitable<Result>): Awaitable<Result> {
  return actions ? work(actions) : loadActions().then(work)
}

/** Loads them, with all else that a session loads late: it may need that when the package on disk is another one. */
export async function loadActions(): Promise<Actions> {
  await loadAll()
  actions = await load()
  return actions
}
