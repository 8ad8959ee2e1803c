import { EMPTY_EDITOR, insertText, type Key, pressKey } from './editor.js'
import type { Choice, Dialog, Picked, ScreenStore } from './screen-state.js'

/** Asks a person, one thing at a time. */
export interface Dialogs {
  /** `undefined`: the person left it, or the signal fell. */
  choose(choice: Choice, signal: AbortSignal): Promise<Picked | undefined>
  /** A key for the dialog that is shown. `true`: the person left it, and with it the work that asked. */
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
      return 'isLeft' in pressed && !first.choice.isBeside
    },
  }
}

/** What a key does to a dialog: another look of it, an answer, or giving up. */
type Pressed = { readonly dialog: Dialog } | { readonly picked: Picked } | { readonly isLeft: true }

function pressDialog(dialog: Dialog, key: Key): Pressed {
  if (dialog.words) return typeWords(dialog, key)
  if (key.kind === 'paste') return { dialog }
  if (key.kind === 'text') return typed(dialog, key.text)
  const { at, choice } = dialog
  const count = choice.options.length
  switch (key.name) {
    case 'up':
      return { dialog: { ...dialog, at: (at + count - 1) % count } }
    case 'down':
    case 'tab':
      return { dialog: { ...dialog, at: (at + 1) % count } }
    case 'enter':
      return confirmed(dialog)
    case 'escape':
      return { isLeft: true }
    default:
      return { dialog }
  }
}

function typed(dialog: Dialog, text: string): Pressed {
  const { choice } = dialog
  if (choice.isMulti && text === ' ') return { dialog: marked(dialog, dialog.at) }
  const letter = text.charAt(0).toLowerCase()
  const number = Number(letter) - 1
  const at = choice.options.findIndex(({ key }, index) => key === letter || index === number)
  if (at < 0) return { dialog }
  if (choice.isMulti && !choice.options[at]?.wantsText) return { dialog: marked({ ...dialog, at }, at) }
  return confirmed({ ...dialog, at })
}

function marked(dialog: Dialog, at: number): Dialog {
  if (dialog.choice.options[at]?.wantsText) return dialog
  const isMarked = dialog.marked.includes(at)
  return { ...dialog, marked: isMarked ? dialog.marked.filter((each) => each !== at) : [...dialog.marked, at] }
}

function confirmed(dialog: Dialog): Pressed {
  const { at, choice, marked } = dialog
  if (choice.options[at]?.wantsText) return { dialog: { ...dialog, words: EMPTY_EDITOR } }
  // Enter on an option picks it, also where several could have been marked.
  const options = choice.isMulti && marked.length > 0 ? [...marked].sort((a, b) => a - b) : [at]
  return { picked: { options } }
}

function typeWords(dialog: Dialog, key: Key): Pressed {
  const { words = EMPTY_EDITOR, at, marked } = dialog
  if (key.kind !== 'press') return { dialog: { ...dialog, words: insertText(words, key.text) } }
  if (key.name === 'escape') return { dialog: { ...dialog, words: undefined } }
  if (key.name === 'enter') return { picked: { options: [...marked, at], text: words.text.trim() } }
  return { dialog: { ...dialog, words: pressKey(words, key.name) ?? words } }
}
