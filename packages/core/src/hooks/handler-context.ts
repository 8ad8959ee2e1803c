import type { ForkOptions, ForkResult, Source } from '../contract/fork.js'
import type { Dispatcher, HookContext } from '../contract/hooks.js'
import type { Draft } from '../contract/relief.js'
import type { View } from '../contract/view.js'
import type { Edit, Note } from '../log/edit.js'
import type { Id } from '../log/entry.js'
import { NacreError } from '../nacre-error.js'

/** The session as handlers meet it. `signal` is read at each call, so a session may have another one for each query. */
export interface HookSession {
  readonly sessionId: Id
  readonly source: Source
  readonly signal: AbortSignal
  view(): View
  propose(owner: string, draft: Draft): Promise<Edit | { readonly refused: string }>
  defer(owner: string, work: (signal: AbortSignal) => Promise<void>): void
  fork(owner: string, options: ForkOptions): Promise<ForkResult>
}

/** A context for one call of one plugin. `end` gives the notes; what is noted later would reach nobody, so it throws. */
export function handlerContext(
  session: HookSession,
  hooks: Dispatcher,
  owner: string,
  signal: AbortSignal,
): { readonly context: HookContext; end(): readonly Note[] } {
  const notes: Note[] = []
  let hasEnded = false
  const context: HookContext = {
    sessionId: session.sessionId,
    source: session.source,
    signal,
    hooks,
    view: session.view,
    note(note) {
      if (hasEnded) {
        const message = `Plugin '${owner}' gave a note after its call had ended. Background work hands in a draft by propose().`
        throw new NacreError('HOOK_FAILED', message, { plugin: owner })
      }
      notes.push(note)
    },
    propose: (draft) => session.propose(owner, draft),
    defer: (work) => session.defer(owner, work),
    fork: (options) => session.fork(owner, options),
  }
  const end = () => {
    hasEnded = true
    return notes
  }
  return { context, end }
}
