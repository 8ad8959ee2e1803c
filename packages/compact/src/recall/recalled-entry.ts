import type { Id, View } from '@nacre/core'
import type { RecallRole } from './recall-input.js'

/** A piece of an entry, and how much of it the model sees. */
export interface RecalledPart {
  readonly text: string
  readonly shows: ReturnType<View['shows']>
  /** Said by Recall itself, or asked of it: no search finds it. */
  readonly isOwn: boolean
  /** Where the full text is, if not in the log. */
  readonly place?: string
}

/** An entry of the log as it may be told: without what was redacted, marked where a person took it back. */
export interface RecalledEntry {
  readonly id: Id
  readonly role: RecallRole
  /** Of a result: the tool that gave it, and the call. */
  readonly tool?: string
  readonly call?: Id
  readonly isError: boolean
  readonly time: number
  /** Responses up to here, with the one that it belongs to. */
  readonly turn: number
  readonly isTakenBack: boolean
  readonly parts: readonly RecalledPart[]
}

/** All that is known of an entry, as one text. */
export function entryText({ parts }: RecalledEntry): string {
  return join(parts)
}

/** What a search looks at: in the scope `hidden` only what the model does not see whole. */
export function searchedText({ parts }: RecalledEntry, scope: 'hidden' | 'all'): string {
  return join(parts.filter(({ isOwn, shows }) => !isOwn && (scope === 'all' || shows !== 'whole')))
}

function join(parts: readonly RecalledPart[]): string {
  return parts
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n')
}
