import type { Id, Json, SessionStore, ToolContext, View } from '@nacre/core'
import { findResult } from './find-result.js'

/** A call that has shown a file to the model, or has made the file what it is. */
export interface Sighting {
  readonly call: Id
  readonly hash: string
  /** When the file had last been changed by then, in milliseconds. */
  readonly changed: number
  /** Which part of the file it was; empty for what a change has shown of it. */
  readonly shown: string
}

/** Which files the model has seen. */
export interface Sightings {
  /** Those of a file that are still whole in view, oldest first. */
  of(path: string, context: ToolContext): readonly Sighting[]
  add(path: string, sighting: Omit<Sighting, 'call'>, context: ToolContext): Promise<void>
}

export const OWNER = 'files'
const KEPT = 16
const NO_SESSION = {}

/**
 * Sightings are kept as state, and count only as long as the view shows the result of their call as it was: so nothing
 * that is remembered here can say more than the view does. What is remembered besides is what calls that run side by
 * side have added, since each of them has the view of its own beginning. Without an agent all of them count.
 */
export function createSightings(): Sightings {
  const added = new WeakMap<object, Map<string, readonly Sighting[]>>()

  function known(path: string, { view, store }: ToolContext): readonly Sighting[] {
    const kept = (view?.state(OWNER, path) ?? []) as unknown as readonly Sighting[]
    const own = addedTo(store).get(path) ?? []
    return [...kept.filter(({ call }) => !own.some((other) => other.call === call)), ...own]
  }

  function addedTo(store: SessionStore | undefined): Map<string, readonly Sighting[]> {
    const key = store ?? NO_SESSION
    const map = added.get(key) ?? new Map<string, readonly Sighting[]>()
    added.set(key, map)
    return map
  }

  return {
    of: (path, context) => known(path, context).filter(({ call }) => !context.view || isWhole(context.view, call)),
    async add(path, sighting, context) {
      const all = [...known(path, context), { call: context.callId, ...sighting }].slice(-KEPT)
      addedTo(context.store).set(path, all)
      await context.store?.append([stateEntry(path, all as unknown as Json)])
    },
  }
}

/** An entry for `store.append`; the session gives it its own id and time. */
export function stateEntry(key: string, value: Json) {
  return { kind: 'state' as const, id: '', time: 0, owner: OWNER, key, value }
}

function isWhole(view: View, call: Id): boolean {
  const found = findResult(view.rounds, call)
  return found !== undefined && view.shows(found) === 'whole'
}
