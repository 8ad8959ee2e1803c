import type { NoticeEntry, SessionStore } from '@nacre/core'

export interface Notices {
  /** For people. Kept until the session has begun. */
  tell(level: NoticeEntry['level'], text: string): void
  begin(): Promise<void>
}

/** What happens to servers, for people: a notice in the log is told to whoever listens. */
export function notices(store: SessionStore, now: () => number): Notices {
  let waiting: NoticeEntry[] = []
  let hasBegun = false
  const flush = async () => {
    if (!hasBegun || waiting.length === 0) return
    const told = waiting
    waiting = []
    await store.append(told)
  }
  return {
    tell(level, text) {
      waiting.push({ kind: 'notice', id: '', time: now(), owner: 'mcp', level, text })
      // A session that is closing takes none any more.
      flush().catch(() => undefined)
    },
    async begin() {
      hasBegun = true
      await flush()
    },
  }
}
