import type { Awaitable } from '../contract/answer.js'

export type Actions = typeof import('./actions.js')
/** What stands between a session and its plugins. */
export type Host = Pick<
  Actions,
  'createFlags' | 'loadPlugins' | 'createDispatcher' | 'createBackground' | 'createNotes'
>

let actions: Actions | undefined

/** Works with the actions of a session: at once when they are loaded, else when they are. */
export function withActions<Result>(work: (actions: Actions) => Awaitable<Result>): Awaitable<Result> {
  return actions ? work(actions) : loadActions().then(work)
}

/** Whoever will need them later loads them in time: by then the package may be another version on disk. */
export async function loadActions(): Promise<Actions> {
  actions ??= await import('./actions.js')
  return actions
}
