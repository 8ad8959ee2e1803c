import type { Id, ToolCall } from '@nacre/core'
import type { NoteEdit } from '../notes/note-edit.js'
import { UPDATE_NOTES } from './update-tool-name.js'

/** Where the calls of one update are let in and their edits gathered. */
interface OpenDesk {
  /** Judges a call of the fork. */
  allow(call: ToolCall): boolean
  /** The edits of all calls; throws when there was none, or one that could not be used. */
  edits(): readonly NoteEdit[]
  /** From here on every call is refused. */
  close(): void
}

/** Tells the calls of a running update from all others. */
export interface Desk {
  open(): OpenDesk
  /** Whether a call belongs to a running update. */
  admits(call: Id): boolean
  take(call: Id, edits: readonly NoteEdit[]): void
}

export function createDesk(): Desk {
  const open = new Map<Id, Map<Id, readonly NoteEdit[] | undefined>>()
  return {
    open() {
      const calls = new Map<Id, readonly NoteEdit[] | undefined>()
      let isOpen = true
      return {
        allow(call) {
          if (!isOpen || call.name !== UPDATE_NOTES) return false
          calls.set(call.id, undefined)
          open.set(call.id, calls)
          return true
        },
        close() {
          isOpen = false
          for (const id of calls.keys()) open.delete(id)
        },
        edits() {
          if (calls.size === 0) throw new Error(`${UPDATE_NOTES} was not called.`)
          const taken = [...calls.values()]
          if (taken.includes(undefined)) throw new Error(`The input of ${UPDATE_NOTES} could not be used.`)
          return taken.flatMap((edits) => edits ?? [])
        },
      }
    },
    admits: (call) => open.has(call),
    take(call, edits) {
      open.get(call)?.set(call, edits)
    },
  }
}
