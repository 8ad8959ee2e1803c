import type { Dispatcher, HookName } from '../contract/hooks.js'
import type { Note } from '../log/edit.js'
import { isNacreError, NacreError } from '../nacre-error.js'
import { type BoundHandler, boundHandlers } from './bound-handlers.js'
import { callWithin } from './call-within.js'
import type { DispatcherOptions } from './dispatcher-options.js'
import { handlerContext } from './handler-context.js'
import { realTimer } from './timer.js'

/** How one dispatch asks, and what it does with what it hears. */
export interface Inquiry {
  event(): unknown
  /** `true` when nobody else needs to be asked. Not called for `undefined`, which is no answer. */
  take(answer: unknown, owner: string): boolean
  fail(error: NacreError): void
}

/** What the three kinds share: who is asked, in which order, within which limits, and what becomes of the notes. */
export function askHandlers(options: DispatcherOptions, dispatcher: () => Dispatcher) {
  const { plugins, session, timeout = 60_000, timer = realTimer } = options
  const handlers = new Map<HookName, readonly BoundHandler[]>()

  function heardBy(name: HookName): readonly BoundHandler[] {
    let all = handlers.get(name)
    if (!all) {
      all = boundHandlers(plugins, name)
      handlers.set(name, all)
    }
    // Most hooks are heard by nobody, and a turn meets ten of them.
    if (all.length === 0) return all
    return all.filter(({ scope, owner }) => (scope === 'all' || session.source === 'main') && options.isOn(owner))
  }

  async function call(bound: BoundHandler, event: unknown) {
    const limits = { signal: session.signal, timeout: bound.timeout ?? timeout, timer }
    let end = (): readonly Note[] => []
    try {
      const answer = await callWithin(limits, (signal) => {
        const opened = handlerContext(session, dispatcher(), bound.owner, signal)
        end = opened.end
        return bound.handler(event, opened.context)
      })
      return { answer, notes: end() }
    } finally {
      end()
    }
  }

  return async (name: HookName, { event, take, fail }: Inquiry): Promise<void> => {
    const heard = heardBy(name)
    if (heard.length === 0) return
    const given: (readonly [string, readonly Note[]])[] = []
    try {
      for (const bound of heard) {
        try {
          const { answer, notes } = await call(bound, event())
          const isEnough = answer !== undefined && take(answer, bound.owner)
          if (notes.length > 0) given.push([bound.owner, notes])
          if (isEnough) return
        } catch (error) {
          fail(hookError(error, bound.owner, name, session.signal.aborted))
        }
      }
    } finally {
      for (const [owner, notes] of given) options.notes(owner, notes)
    }
  }
}

function hookError(error: unknown, plugin: string, hook: string, isAborted: boolean): NacreError {
  const code = isAborted ? 'ABORTED' : isNacreError(error, 'HOOK_TIMEOUT') ? 'HOOK_TIMEOUT' : 'HOOK_FAILED'
  const message = error instanceof Error ? error.message : String(error)
  return new NacreError(code, `Hook ${hook} of plugin '${plugin}': ${message}`, { cause: error, plugin, hook })
}
