import { sep } from 'node:path'
import type { Id } from '@nacre/core'
import type { PathGuard } from '../paths/path-guard.js'
import { comparable } from './path-pattern.js'

type Hides = (path: string) => boolean

/** A guard that knows for which places each call was judged. */
export interface CallGuard extends Required<PathGuard> {
  /** Ties a call to a place; with `hides` to all below it too, but for what that says. */
  judged(call: Id, realPath: string, hides?: Hides): void
  /** The call has ended. */
  forget(call: Id): void
}

/** Calls that never end, since somebody stopped them, must not pile up. */
const MOST_CALLS = 10_000

export function callGuard(): CallGuard {
  const calls = new Map<Id, Map<string, Hides | undefined>>()
  return {
    judged(call, realPath, hides) {
      const places = calls.get(call) ?? new Map<string, Hides | undefined>()
      places.set(comparable(realPath), hides)
      calls.set(call, places)
      if (calls.size > MOST_CALLS) calls.delete(calls.keys().next().value ?? call)
    },
    forget: (call) => void calls.delete(call),
    hides: (call, path) => [...(calls.get(call)?.values() ?? [])].some((hides) => hides?.(path)),
    verify(call, realPath) {
      const places = calls.get(call)
      if (!places) return
      const path = comparable(realPath)
      for (const [place, hides] of places) {
        if (path === place || (hides && path.startsWith(place.endsWith(sep) ? place : `${place}/`))) return
      }
      const judged = [...places.keys()].join(', ')
      throw new Error(
        `The path leads to ${realPath} now, but the call was judged for ${judged}: something was changed in between. Make the call again, so that it is judged for where it leads.`,
      )
    },
  }
}
