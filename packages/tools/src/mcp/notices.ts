import type { Dispatcher, NoticeEntry, SessionStore } from '@nacre/core'

export interface Notices {
  /** For people. Kept until the session has begun. */
  tell(level: NoticeEntry['level'], text: string): void
  begin(hooks: Dispatcher): Promise<void>
}

/** What happens to servers, for people: in the log, and to whoever hears notifications. */
export function notices(store: SessionStore, now: () => number): Notices {
  let waiting: NoticeEntry[] = []
  let hooks: Dispatcher | undefined
  const flush = async () => {
    if (!hooks || waiting.length === 0) return
    const told = waiting
    waiting = []
    await store.append(told)
    for (const notice of told) await hooks.collect('Notification', { notice })
  }
  return {
    tell(level, text) {
      waiting.push({ kind: 'notice', id: '', time: now(), owner: 'mcp', level, text })
      // A session that is closing takes none any more.
      flush().catch(() => undefined)
    },
    async begin(dispatcher) {
      hooks = dispatcher
      await flush()
    },
  }
}
