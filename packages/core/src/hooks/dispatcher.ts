import type { Dispatcher, HookAnswer, HookEvent, HookName } from '../contract/hooks.js'
import type { NacreError } from '../nacre-error.js'
import { askHandlers } from './ask-handlers.js'
import type { DispatcherOptions } from './dispatcher-options.js'

/** After an abort no further handler starts: `decide` rejects with ABORTED, the others give what they have by then. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const ask = askHandlers(options, () => dispatcher)
  const fail = (error: NacreError) => {
    if (error.code !== 'ABORTED') options.report(error)
  }

  const dispatcher: Dispatcher = {
    async collect<Name extends HookName<'collect'>>(name: Name, event: HookEvent<Name>) {
      const answers: { owner: string; answer: HookAnswer<Name> }[] = []
      const take = (answer: unknown, owner: string) => {
        answers.push({ owner, answer: answer as HookAnswer<Name> })
        return false
      }
      await ask(name, { event: () => event, take, fail })
      return answers
    },

    async transform<Name extends HookName<'transform'>>(name: Name, event: HookEvent<Name>) {
      const changes: { owner: string; value: HookAnswer<Name> }[] = []
      let current: { readonly value: unknown } = event
      const take = (value: unknown, owner: string) => {
        if (value === current.value) return false
        changes.push({ owner, value: value as HookAnswer<Name> })
        current = { ...event, value }
        return false
      }
      await ask(name, { event: () => current, take, fail })
      return { value: current.value as HookAnswer<Name>, changes }
    },

    async decide<Name extends HookName<'decide'>>(
      name: Name,
      event: HookEvent<Name>,
      strictestFirst: readonly HookAnswer<Name>['verdict'][],
    ) {
      let strictest: (HookAnswer<Name> & { owner: string }) | undefined
      let best = Number.POSITIVE_INFINITY
      const take = (answer: unknown, owner: string) => {
        const rank = rankOf(answer, strictestFirst)
        if (rank < best) strictest = { ...(answer as HookAnswer<Name>), owner }
        best = Math.min(best, rank)
        return rank === 0
      }
      await ask(name, { event: () => event, take, fail: raise })
      return strictest
    },
  }
  return dispatcher
}

/** A verdict that the caller does not know is no consent: it fails like a throw. */
function rankOf(answer: unknown, strictestFirst: readonly string[]): number {
  const verdict = (answer as { readonly verdict?: unknown } | null)?.verdict
  const rank = strictestFirst.indexOf(verdict as string)
  if (rank < 0) throw new Error(`'${verdict}' is not a verdict here; there are ${strictestFirst.join(', ')}`)
  return rank
}

function raise(error: NacreError): never {
  throw error
}
