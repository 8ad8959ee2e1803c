import type { ModelEnd } from '../contract/model.js'
import type { Edit } from '../log/edit.js'
import type { AssistantEntry, Id, Json } from '../log/entry.js'
import type { Sent } from './requests.js'

/** Fields of requests that stay as they were first sent. */
export type Latched = { readonly [key: string]: Json }

export interface Dropped {
  readonly sent: Sent
  readonly end: ModelEnd
}

/** What changes while a session runs and is nobody else's to keep. */
export interface Status {
  /** Of the query that runs, or of the session between two of them. */
  signal: AbortSignal
  /** Whether the log has been read: what is heard before that is no news. */
  isOpen: boolean
  isRunning: boolean
  /** Edits since the last request. */
  edits: Edit[]
  sent: Sent | undefined
  /** The last request that was answered, with its answer: what a fork extends. */
  answered: { readonly sent: Sent; readonly entry: AssistantEntry } | undefined
  /** The last request, if the server has left thinking out of it. */
  dropped: Dropped | undefined
  latched: Latched | undefined
  /** The size of one version of the view, as the server counted it. */
  counted: { readonly version: number; readonly tokens: number } | undefined
  responses: number
  /** The first entry of the whole log, as soon as there is one. */
  first: Id | undefined
}

export function startStatus(signal: AbortSignal): Status {
  return {
    signal,
    isOpen: false,
    isRunning: false,
    edits: [],
    sent: undefined,
    answered: undefined,
    dropped: undefined,
    latched: undefined,
    counted: undefined,
    responses: 0,
    first: undefined,
  }
}
