import type { Key, KeyName } from './key.js'

const CONTROLS: Readonly<Record<string, KeyName>> = {
  '\r': 'enter',
  '\n': 'newline',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
  '\u0001': 'home',
  '\u0002': 'left',
  '\u0003': 'ctrl-c',
  '\u0004': 'ctrl-d',
  '\u0005': 'end',
  '\u0006': 'right',
  '\u000b': 'ctrl-k',
  '\u000e': 'down',
  '\u0010': 'up',
  '\u0015': 'ctrl-u',
  '\u0017': 'ctrl-w',
  '\u001a': 'ctrl-z',
}

const SEQUENCES: Readonly<Record<string, KeyName>> = {
  '[A': 'up',
  '[B': 'down',
  '[C': 'right',
  '[D': 'left',
  OA: 'up',
  OB: 'down',
  OC: 'right',
  OD: 'left',
  '[H': 'home',
  '[F': 'end',
  OH: 'home',
  OF: 'end',
  '[1~': 'home',
  '[4~': 'end',
  '[7~': 'home',
  '[8~': 'end',
  '[3~': 'delete',
  '[1;5D': 'word-left',
  '[1;5C': 'word-right',
  '[1;3D': 'word-left',
  '[1;3C': 'word-right',
  '[13;2u': 'newline',
  '[27;2;13~': 'newline',
  b: 'word-left',
  f: 'word-right',
  '\r': 'newline',
  '\u007f': 'ctrl-w',
}

const PASTE_START = '\u001b[200~'
const PASTE_END = '\u001b[201~'
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals speak in them
const SEQUENCE = /^\u001b(\[[0-9;?<>=]*[ -/]*[@-~]|O[A-Za-z]|[bf\r\u007f])/
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals speak in them
const CONTROL = /[\u0000-\u001f\u007f]/

/** Reads keys out of what a terminal sends, in pieces as they come. */
export interface KeyReader {
  read(piece: string): Key[]
  /** What waited for more and got nothing: an escape by itself. */
  flush(): Key[]
  readonly isWaiting: boolean
}

export function keyReader(): KeyReader {
  let rest = ''
  return {
    read(piece) {
      const keys: Key[] = []
      rest += piece
      for (;;) {
        const taken = takeKey(rest)
        if (!taken) return keys
        rest = rest.slice(taken.length)
        if (taken.key) keys.push(taken.key)
      }
    },
    flush() {
      const isEscape = rest === '\u001b'
      if (isEscape) rest = ''
      return isEscape ? [press('escape')] : []
    },
    get isWaiting() {
      return rest === '\u001b'
    },
  }
}

interface Taken {
  readonly length: number
  readonly key?: Key
}

function takeKey(input: string): Taken | undefined {
  if (input === '') return undefined
  if (input.startsWith(PASTE_START)) return takePaste(input)
  if (input.startsWith('\u001b')) return takeSequence(input)
  const name = CONTROLS[input.charAt(0)]
  if (name) return { length: 1, key: press(name) }
  const control = CONTROL.exec(input)
  if (control?.index === 0) return { length: 1 }
  const length = control?.index ?? input.length
  return { length, key: { kind: 'text', text: input.slice(0, length) } }
}

function takePaste(input: string): Taken | undefined {
  const end = input.indexOf(PASTE_END)
  if (end < 0) return undefined
  const text = input.slice(PASTE_START.length, end).replace(/\r\n?/g, '\n')
  return { length: end + PASTE_END.length, key: { kind: 'paste', text } }
}

function takeSequence(input: string): Taken | undefined {
  const match = SEQUENCE.exec(input)
  if (match) {
    const name = SEQUENCES[match[1] ?? '']
    return { length: match[0].length, ...(name && { key: press(name) }) }
  }
  if (input === '\u001b' || /^.[[O][0-9;?<>=]*$/.test(input)) return undefined
  return { length: 1, key: press('escape') }
}

function press(name: KeyName): Key {
  return { kind: 'press', name }
}
