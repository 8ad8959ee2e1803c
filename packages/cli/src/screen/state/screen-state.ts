import type { Line } from '../text/lines.js'
import { type Editor, EMPTY_EDITOR } from './editor.js'

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
  /** Agents at work, a line each. */
  readonly agents: readonly AgentLine[]
}

export interface Work {
  readonly label: string
  readonly since: number
}

interface AgentLine {
  readonly name: string
  /** In a few words. */
  readonly doing: string
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
  /** Where commands run. */
  readonly place?: 'sandbox' | 'no sandbox' | undefined
  readonly percentLeft: number
  /** The size that the context has come to, of those that people are told of. */
  readonly fill?: 'warning' | 'error' | undefined
  readonly hitRate: number
  readonly dollars: number
  /** When the cache lets go of what was sent, in milliseconds; nothing before the first answer. */
  readonly cacheUntil?: number | undefined
}

/** What may be meant by what is typed, for a slash command. */
export interface Suggestions {
  readonly items: readonly Suggestion[]
  readonly at: number
}

interface Suggestion {
  /** The whole line with it. */
  readonly line: string
  readonly help: string
}

/** Something that a person has to decide before the work goes on. */
export interface Choice {
  readonly title: string
  /** What it is about, as lines that fit. */
  body(width: number): readonly Line[]
  readonly options: readonly ChoiceOption[]
  /** Whether several options may be picked. */
  readonly isMulti?: boolean
  /** What Esc does, in words. */
  readonly leaving?: string
  /** Of one who works beside the conversation: to leave it stops nothing else. */
  readonly isBeside?: true
}

export interface ChoiceOption {
  readonly label: string
  readonly description?: string
  /** A letter that picks it at once. */
  readonly key?: string
  /** Picking it asks for words of one's own. */
  readonly wantsText?: boolean
}

/** What was picked, by place. */
export interface Picked {
  readonly options: readonly number[]
  readonly text?: string
}

/** A choice on the screen. */
export interface Dialog {
  readonly choice: Choice
  readonly at: number
  readonly marked: readonly number[]
  /** Words that are being typed for the option at hand. */
  readonly words?: Editor | undefined
}

/** The state of the screen, and who hears of its changes. */
export interface ScreenStore {
  state(): ScreenState
  change(changes: Partial<ScreenState>): void
  /** Changes of what is going on right now. */
  live(changes: Partial<Live>): void
  print(what: readonly Line[] | string): void
  /** Gives the way to stop listening. */
  subscribe(listener: () => void): () => void
}

export function screenStore(): ScreenStore {
  const listeners = new Set<() => void>()
  let state: ScreenState = {
    printed: [],
    live: { answer: [], calls: [], tasks: [], agents: [] },
    queue: [],
    editor: EMPTY_EDITOR,
  }
  const change = (changes: Partial<ScreenState>) => {
    state = { ...state, ...changes }
    for (const listener of listeners) listener()
  }
  return {
    state: () => state,
    change,
    live: (changes) => change({ live: { ...state.live, ...changes } }),
    print(what) {
      const id = state.printed.length
      change({ printed: [...state.printed, typeof what === 'string' ? { id, text: what } : { id, lines: what }] })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
