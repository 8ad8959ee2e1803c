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
