import type { Note } from '../log/edit.js'
import type { CollectedNotes } from '../relief/relief-parts.js'
import type { Conversation } from './conversation.js'

type OwnedNote = CollectedNotes<unknown>['notes'][number]

/** Notes of hooks on their way into the log. */
export interface Notes {
  give(owner: string, notes: readonly Note[]): void
  /** Makes inserts of what was noted, one edit for each plugin; only between two requests. */
  flush(): Promise<void>
  collect<T>(work: () => Promise<T>): Promise<CollectedNotes<T>>
}

export function createNotes(conversation: Conversation, refused: (owner: string, reason: string) => void): Notes {
  let waiting: OwnedNote[] = []
  let collected: OwnedNote[] | undefined
  return {
    give(owner, notes) {
      for (const note of notes) (collected ?? waiting).push({ owner, note })
    },
    async flush() {
      const given = waiting
      waiting = []
      for (const owner of new Set(given.map((each) => each.owner))) {
        const own = given.filter((each) => each.owner === owner)
        const changes = own.map(({ note }) => ({ kind: 'insert' as const, note }))
        const done = await conversation.edit({ owner, reason: 'note', changes })
        if ('refused' in done) refused(owner, done.refused)
      }
    },
    async collect(work) {
      const own: OwnedNote[] = []
      collected = own
      try {
        return { value: await work(), notes: own }
      } finally {
        collected = undefined
      }
    },
  }
}
