import { graphemes } from '../../terminal/text.js'

/** What a person pressed or pasted. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'paste'; readonly text: string }
  | { readonly kind: 'press'; readonly name: KeyName }

export type KeyName =
  | 'enter'
  | 'newline'
  | 'escape'
  | 'tab'
  | 'backspace'
  | 'delete'
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'home'
  | 'end'
  | 'word-left'
  | 'word-right'
  | 'ctrl-c'
  | 'ctrl-d'
  | 'ctrl-k'
  | 'ctrl-u'
  | 'ctrl-w'
  | 'ctrl-z'

/** What is being typed; the cursor stands before the character at its place. */
export interface Editor {
  readonly text: string
  readonly cursor: number
}

export const EMPTY_EDITOR: Editor = { text: '', cursor: 0 }

/** A text with the cursor at its end. */
export function editorWith(text: string): Editor {
  return { text, cursor: text.length }
}

export function insertText({ text, cursor }: Editor, added: string): Editor {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length }
}

/** What a key does to the text; nothing where it is no key of an editor, or where it stands at the edge. */
export function pressKey(editor: Editor, name: KeyName): Editor | undefined {
  return KEYS[name]?.(editor)
}

const KEYS: Readonly<Partial<Record<KeyName, (editor: Editor) => Editor | undefined>>> = {
  newline: (editor) => insertText(editor, '\n'),
  backspace: (editor) => without(editor, before(editor), editor.cursor),
  delete: (editor) => without(editor, editor.cursor, after(editor)),
  left: (editor) => moved(editor, before(editor)),
  right: (editor) => moved(editor, after(editor)),
  home: (editor) => moved(editor, lineStart(editor)),
  end: (editor) => moved(editor, lineEnd(editor)),
  'word-left': (editor) => moved(editor, wordStart(editor)),
  'word-right': (editor) => moved(editor, wordEnd(editor)),
  'ctrl-u': (editor) => without(editor, lineStart(editor), editor.cursor),
  'ctrl-k': (editor) => without(editor, editor.cursor, lineEnd(editor)),
  'ctrl-w': (editor) => without(editor, wordStart(editor), editor.cursor),
  up: (editor) => movedByLine(editor, -1),
  down: (editor) => movedByLine(editor, 1),
}

function moved(editor: Editor, cursor: number): Editor {
  return { ...editor, cursor }
}

function without({ text }: Editor, from: number, to: number): Editor {
  return { text: text.slice(0, from) + text.slice(to), cursor: from }
}

function before({ text, cursor }: Editor): number {
  return cursor - (graphemes(text.slice(0, cursor)).at(-1)?.length ?? 0)
}

function after({ text, cursor }: Editor): number {
  return cursor + (graphemes(text.slice(cursor))[0]?.length ?? 0)
}

function lineStart({ text, cursor }: Editor): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1
}

function lineEnd({ text, cursor }: Editor): number {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

function wordStart({ text, cursor }: Editor): number {
  return cursor - (/\S*\s*$/.exec(text.slice(0, cursor))?.[0].length ?? 0)
}

function wordEnd({ text, cursor }: Editor): number {
  return cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0)
}

function movedByLine(editor: Editor, by: -1 | 1): Editor | undefined {
  const { text, cursor } = editor
  const start = lineStart(editor)
  const column = cursor - start
  const target = by < 0 ? start - 1 : lineEnd(editor) + 1
  if (target < 0 || target > text.length) return undefined
  const other = { text, cursor: target }
  return moved(editor, Math.min(lineStart(other) + column, lineEnd(other)))
}
