import type { Dialog } from '../dialog/dialog.js'
import type { Editor } from '../input/editor.js'
import type { Suggestions } from '../input/suggestions.js'
import type { Line } from '../text/span.js'

/** All that the screen shows; whatever paints it decides nothing. */
export interface ScreenState {
  /** Finished output, in the order it is printed; never changed again. */
  readonly printed: readonly Printed[]
  readonly live: Live
  /** Messages that wait until the work at hand is done. */
  readonly queue: readonly string[]
  readonly editor: Editor
  readonly suggestions?: Suggestions | undefined
  readonly dialog?: Dialog | undefined
  /** One line in place of the status, for a moment. */
  readonly hint?: string | undefined
  readonly status?: Status | undefined
  /** Only what is finished stays. */
  readonly isOver?: true
}

/** Lines that were made to fit, or text of a command of ours that brings its own colours. */
export interface Printed {
  readonly id: number
  readonly lines?: readonly Line[]
  readonly text?: string
}

/** What is going on right now. */
export interface Live {
  /** What is being done, or nothing while the screen waits for the person. */
  readonly work?: Work | undefined
  /** The end of an answer that is still coming. */
  readonly answer: readonly Line[]
  readonly calls: readonly LiveCall[]
  /** Beside the conversation, such as notes that are updated. */
  readonly tasks: readonly string[]
}

export interface Work {
  readonly label: string
  readonly since: number
}

export interface LiveCall {
  readonly id: string
  readonly title: string
  readonly progress?: string
}

/** The figures of the last line. */
export interface Status {
  readonly model: string
  readonly mode: string
  readonly percentLeft: number
  readonly hitRate: number
  readonly dollars: number
  /** When the cache lets go of what was sent, in milliseconds; nothing before the first answer. */
  readonly cacheUntil?: number | undefined
}
