import type { Stats } from 'node:fs'
import type { ToolContext, View } from '@nacre/core'
import { stateEntry } from '../conversation.js'
import type { PathGuard } from '../paths.js'

/** What the file tools of one session share. */
export interface FileToolContext {
  readonly guard: PathGuard | undefined
  readonly sightings: Sightings
  /** For people: what a result has changed. */
  readonly patches: WeakMap<object, string>
}

/** What a call has shown of a file to the model, or has made of it. */
interface Sighting {
  readonly path: string
  readonly hash: string
  /** When the file had last been changed by then, in milliseconds. */
  readonly changed: number
  /** Which part of the file it was; empty for what a change has shown of it. */
  readonly shown: string
}

/** Which files the model has seen. */
interface Sightings {
  /** Those of a file that are still whole in view, oldest first. */
  of(path: string, context: ToolContext): readonly Sighting[]
  add(sighting: Sighting, context: ToolContext): Promise<void>
}

export const OWNER = 'files'

/** Without an agent there is no view that could lose any of them: all count. */
export function createSightings(): Sightings {
  const alone: Sighting[] = []
  return {
    of: (path, { view }) => (view ? sightingsOf(view, path) : alone.filter((sighting) => sighting.path === path)),
    async add(sighting, { callId, store }) {
      if (store) await store.append([stateEntry(OWNER, stateKey(callId), { ...sighting })])
      else alone.push(sighting)
    },
  }
}

/**
 * Each is state of its own, so that calls side by side do not lose one another's, and counts only as long as the view
 * shows the result of its call as it was: nothing that is remembered can say more than the view does.
 */
export function sightingsOf(view: View, path: string, rounds = view.rounds): readonly Sighting[] {
  // Logs of versions before 0.1 have a list of calls for each file.
  const before = (view.state(OWNER, path) ?? []) as unknown as readonly (Sighting & { readonly call: string })[]
  return rounds
    .flatMap(({ entries }) => entries)
    .flatMap(({ id, content }) =>
      content.flatMap(({ type, tool_use_id: call }, block): readonly Sighting[] => {
        if (type !== 'tool_result') return []
        const own = view.state(OWNER, stateKey(String(call))) as unknown as Sighting | undefined
        const found = own ?? before.find((sighting) => sighting.call === call)
        const isOfPath = found !== undefined && (own === undefined || own.path === path)
        return isOfPath && view.shows({ entry: id, block }) === 'whole' ? [{ ...found, path }] : []
      }),
    )
}

function stateKey(call: string): string {
  return `seen/${call}`
}

/** Throws, with words for the model, unless the model has seen a file as it is now. */
export function mustBeSeen(
  sightings: Sightings,
  { path, hash, stats }: { readonly path: string; readonly hash: string; readonly stats: Stats },
  context: ToolContext,
): void {
  const seen = sightings.of(path, context)
  if (seen.some((each) => each.hash === hash)) return
  const last = seen.at(-1)
  if (!last) {
    throw new Error(`${path} was not read, or what was read of it is no longer in view. Read it before you change it.`)
  }
  const [then, now] = [last.changed, stats.mtimeMs].map((time) => new Date(time).toISOString())
  throw new Error(
    `${path} was changed since you have seen it: that was its state of ${then}, and it was last changed at ${now}. ` +
      'Read it again before you change it.',
  )
}
