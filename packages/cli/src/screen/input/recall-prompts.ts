import type { ScreenStore } from '../state/screen-store.js'

/** Goes through what was sent before, and first through what still waits to be sent. */
export interface RecallPrompts {
  older(): string | undefined
  newer(): string | undefined
  /** What is typed next is something new. */
  reset(): void
}

export function recallPrompts(store: ScreenStore, prompts: () => readonly string[]): RecallPrompts {
  let back = 0
  let draft = ''
  const at = () => (back === 0 ? draft : prompts().at(-back))
  return {
    older() {
      const { queue, editor } = store.state()
      // A message that waits is taken back to be edited.
      if (queue.length > 0 && editor.text === '') {
        store.change({ queue: queue.slice(0, -1) })
        return queue.at(-1)
      }
      if (back >= prompts().length) return undefined
      if (back === 0) draft = editor.text
      back += 1
      return at()
    },
    newer() {
      if (back === 0) return undefined
      back -= 1
      return at()
    },
    reset() {
      back = 0
    },
  }
}
