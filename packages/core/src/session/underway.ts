import type { LeftBehind, Watch } from '../types/events.js'
import type { SessionStore } from '../types/store.js'

/** The work that goes on in a session, so that whoever stops it can say what does not end. */
export interface Underway {
  readonly watch: Watch
  /** What has not ended. */
  left(): readonly LeftBehind[]
}

export function createUnderway(): Underway {
  const running = new Set<LeftBehind>()
  return {
    watch(what, work) {
      if (typeof (work as { readonly then?: unknown } | null | undefined)?.then !== 'function') return work
      // One of its own for each: the same tool may run twice.
      const own = { ...what }
      const end = () => void running.delete(own)
      running.add(own)
      Promise.resolve(work).then(end, end)
      return work
    },
    left: () => [...running],
  }
}

/** A store whose writes are watched. */
export function watchStore(store: SessionStore, watch: Watch): SessionStore {
  const { readBack, transcript } = store
  const what = (name: string): LeftBehind => ({ what: 'store', name })
  return {
    append: (batch) => watch(what('append'), store.append(batch)),
    read: (from) => store.read(from),
    ...(transcript !== undefined && { transcript }),
    ...(readBack && { readBack: () => readBack.call(store) }),
    put: (name, data) => watch(what('put'), store.put(name, data)),
    get: (blob, range) => store.get(blob, range),
    close: () => watch(what('close'), store.close()),
  }
}

/** In words, for people. */
export function describeLeft(left: readonly LeftBehind[]): string {
  const named = left.map(({ what, name, plugin }) => `${what} ${name}${plugin ? ` of plugin '${plugin}'` : ''}`)
  return named.join(', ') || 'something that nobody can name'
}
