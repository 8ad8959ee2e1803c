import type { Key } from '../input/key.js'
import type { ScreenStore } from '../state/screen-store.js'
import type { Choice, Picked } from './dialog.js'
import { pressDialog } from './press-dialog.js'

/** Asks a person, one thing at a time. */
export interface Dialogs {
  /** `undefined`: the person left it, or the signal fell. */
  choose(choice: Choice, signal: AbortSignal): Promise<Picked | undefined>
  /** A key for the dialog that is shown. `true`: the person left it. */
  press(key: Key): boolean
}

interface Waiting {
  readonly choice: Choice
  settle(picked: Picked | undefined): void
}

export function createDialogs(store: ScreenStore): Dialogs {
  let waiting: readonly Waiting[] = []
  const show = () => {
    const [first] = waiting
    store.change({ dialog: first && { choice: first.choice, at: 0, marked: [] } })
  }
  const leave = (one: Waiting, picked: Picked | undefined) => {
    if (!waiting.includes(one)) return
    const isShown = waiting[0] === one
    waiting = waiting.filter((each) => each !== one)
    if (isShown) show()
    one.settle(picked)
  }
  return {
    choose(choice, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined)
        const stop = () => leave(one, undefined)
        const settle = (picked: Picked | undefined) => {
          signal.removeEventListener('abort', stop)
          resolve(picked)
        }
        const one = { choice, settle }
        signal.addEventListener('abort', stop, { once: true })
        waiting = [...waiting, one]
        if (waiting.length === 1) show()
      })
    },
    press(key) {
      const { dialog } = store.state()
      const [first] = waiting
      if (!dialog || !first) return false
      const pressed = pressDialog(dialog, key)
      if ('dialog' in pressed) store.change({ dialog: pressed.dialog })
      else leave(first, 'picked' in pressed ? pressed.picked : undefined)
      return 'isLeft' in pressed
    },
  }
}
