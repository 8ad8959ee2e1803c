import { StringDecoder } from 'node:string_decoder'
import type { Terminal } from '../../terminal/terminal.js'
import type { Key, KeyName } from '../state/editor.js'

/** How long an escape may be the beginning of a longer sequence. */
const ESCAPE_MS = 40

interface TerminalReader {
  /** Leaves the terminal as it was. */
  stop(): void
  /** Whether the terminal was closed: then there is nothing to leave. */
  isGone(): boolean
}

interface TerminalActions {
  press(key: Key): void
  end(): void
  /** The program was stopped, and goes on: others have written to the terminal meanwhile. */
  resumed(): void
}

/** Reads keys until told to stop. */
export function readTerminal(terminal: Terminal, { press, end, resumed }: TerminalActions): TerminalReader {
  const { stdin } = terminal
  const decoder = new StringDecoder('utf8')
  const reader = keyReader()
  let timer: NodeJS.Timeout | undefined
  let isFirst = true
  let isGone = false
  // A terminal that is closed is told in up to four ways, and they are one end: a second one would not wait for it.
  const leave = () => {
    if (!isGone) end()
    isGone = true
  }
  const pressAll = (keys: readonly Key[]) => {
    for (const key of keys) {
      if (key.kind === 'press' && key.name === 'ctrl-z') hold.suspend()
      else press(key)
    }
  }
  const read = (bytes: Buffer) => {
    clearTimeout(timer)
    const text = decoder.write(bytes)
    // What was typed before the program was there has been through the terminal's own line editing.
    pressAll(reader.read(isFirst ? text.replaceAll('\n', '\r') : text))
    isFirst = false
    if (reader.isWaiting) timer = setTimeout(() => pressAll(reader.flush()), ESCAPE_MS)
  }
  const hold = holdTerminal(terminal, resumed)
  stdin.on('data', read)
  stdin.on('end', leave)
  stdin.on('error', leave)
  // Shells and the system both send it.
  process.on('SIGHUP', leave)
  process.once('SIGTERM', end)
  const stop = () => {
    clearTimeout(timer)
    stdin.off('data', read)
    process.off('SIGTERM', end)
    stdin.pause()
    stdin.unref?.()
    if (isGone) return
    stdin.off('end', leave)
    process.off('SIGHUP', leave)
    hold.release()
    stdin.off('error', leave)
  }
  return { stop, isGone: () => isGone }
}

const PASTE_ON = '\u001b[?2004h'
const PASTE_OFF = '\u001b[?2004l'
/** How long a signal may take until it stops the process. */
const STOPPED_MS = 50

/** A terminal that gives every key as it is pressed. */
interface HeldTerminal {
  /** Gives the terminal back to the shell until the person lets the program go on. */
  suspend(): void
  release(): void
}

/** Takes the terminal, and takes it again whenever the process was stopped: a shell sets it to its own ways. */
function holdTerminal({ stdin, stdout }: Pick<Terminal, 'stdin' | 'stdout'>, resumed: () => void): HeldTerminal {
  const take = () => {
    // What is set already would not be set again.
    stdin.setRawMode?.(false)
    stdin.setRawMode?.(true)
    stdout.write(PASTE_ON)
  }
  const giveBack = () => {
    stdin.setRawMode?.(false)
    stdout.write(PASTE_OFF)
  }
  const goOn = () => {
    take()
    resumed()
  }
  take()
  process.on('SIGCONT', goOn)
  return {
    suspend() {
      if (process.platform === 'win32') return
      giveBack()
      // All of the job, also what has started this process.
      process.kill(0, 'SIGTSTP')
      // Where no shell is there to let it go on, the system does not stop it either.
      setTimeout(take, STOPPED_MS).unref()
    },
    release() {
      process.off('SIGCONT', goOn)
      giveBack()
    },
  }
}

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
interface KeyReader {
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
