import type { Dialogs } from '../state/dialogs.js'
import { type Editor, EMPTY_EDITOR, editorWith, insertText, type Key, type KeyName, pressKey } from '../state/editor.js'
import type { ScreenStore, Suggestions } from '../state/screen-state.js'
import { recallPrompts } from './prompt-history.js'

/** What keys lead to beyond the line that is typed. */
interface KeyActions {
  send(text: string): void
  /** Enter on an empty line. */
  retry(): void
  /** Whether there was something to stop. */
  interrupt(): boolean
  end(): void
  suggest(line: string): Suggestions | undefined
  /** What was sent before, oldest first. */
  prompts(): readonly string[]
  now(): number
}

const TWICE_MS = 2_000
const AGAIN = 'Press Ctrl-C again to end.'

/** Gives each key to whom it is for: the dialog, the suggestions, or the line. */
export function keyboard(store: ScreenStore, dialogs: Dialogs, actions: KeyActions): (key: Key) => void {
  const press = lineKeys(store, actions)
  let stoppedAt = Number.NEGATIVE_INFINITY
  const stop = () => {
    const isTwice = actions.now() - stoppedAt < TWICE_MS
    stoppedAt = actions.now()
    if (isTwice) return actions.end()
    actions.interrupt()
    store.change({ editor: EMPTY_EDITOR, suggestions: undefined, hint: AGAIN })
    setTimeout(calm, TWICE_MS).unref()
  }
  const calm = () => {
    if (store.state().hint === AGAIN) store.change({ hint: undefined })
  }
  return (key) => {
    if (key.kind === 'press' && key.name === 'ctrl-c') return stop()
    calm()
    // Twice means one after the other.
    stoppedAt = Number.NEGATIVE_INFINITY
    if (!store.state().dialog) press(key)
    else if (dialogs.press(key)) actions.interrupt()
  }
}

function lineKeys(store: ScreenStore, actions: KeyActions): (key: Key) => void {
  const recall = recallPrompts(store, () => actions.prompts())
  const type = (editor: Editor) => {
    const suggestions = /^[/@]/.test(editor.text) ? actions.suggest(editor.text) : undefined
    store.change({ editor, suggestions })
  }
  const submit = () => {
    const { editor, suggestions } = store.state()
    const continued = continuedLine(editor)
    if (continued) return type(continued)
    // A command that is typed in part is the one that is marked; what follows a name is sent as it stands.
    const isCommand = editor.text.startsWith('/') && !editor.text.includes(' ')
    const meant = isCommand ? chosen(suggestions) : undefined
    recall.reset()
    store.change({ editor: EMPTY_EDITOR, suggestions: undefined })
    const text = (meant ?? editor.text).trim()
    return text === '' ? actions.retry() : actions.send(text)
  }
  const edit = (name: KeyName) => {
    const next = pressKey(store.state().editor, name === 'ctrl-d' ? 'delete' : name)
    if (next) return type(next)
    const recalled = name === 'up' ? recall.older() : name === 'down' ? recall.newer() : undefined
    if (recalled !== undefined) store.change({ editor: editorWith(recalled), suggestions: undefined })
  }
  const suggested = (suggestions: Suggestions, name: KeyName) => {
    if (name === 'escape') return store.change({ suggestions: undefined })
    if (name === 'tab') return type(editorWith(`${chosen(suggestions) ?? ''} `))
    const { items, at } = suggestions
    return store.change({ suggestions: { items, at: (at + (name === 'up' ? items.length - 1 : 1)) % items.length } })
  }
  return (key) => {
    const { editor, suggestions } = store.state()
    if (key.kind !== 'press') return type(insertText(editor, key.text))
    if (suggestions && SUGGESTED.has(key.name)) return suggested(suggestions, key.name)
    if (key.name === 'enter') return submit()
    if (key.name === 'escape') return void actions.interrupt()
    if (key.name === 'ctrl-d' && editor.text === '') return actions.end()
    return edit(key.name)
  }
}

/** Keys that are for the suggestions while there are any. */
const SUGGESTED: ReadonlySet<KeyName> = new Set(['up', 'down', 'tab', 'escape'])

function chosen(suggestions: Suggestions | undefined): string | undefined {
  return suggestions?.items[suggestions.at]?.line
}

/** A backslash before Enter begins another line. */
function continuedLine({ text, cursor }: Editor): Editor | undefined {
  if (text.charAt(cursor - 1) !== '\\') return undefined
  return insertText({ text: text.slice(0, cursor - 1) + text.slice(cursor), cursor: cursor - 1 }, '\n')
}
