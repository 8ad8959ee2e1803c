import { EMPTY_EDITOR } from '../input/editor.js'
import type { Line } from '../text/span.js'
import type { Live, ScreenState } from './screen-state.js'

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
    live: { answer: [], calls: [], tasks: [] },
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
