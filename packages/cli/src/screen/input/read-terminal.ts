import { StringDecoder } from 'node:string_decoder'
import type { Terminal } from '../../terminal.js'
import { holdTerminal } from './hold-terminal.js'
import type { Key } from './key.js'
import { keyReader } from './read-keys.js'

/** How long an escape may be the beginning of a longer sequence. */
const ESCAPE_MS = 40

export interface TerminalReader {
  /** Leaves the terminal as it was. */
  stop(): void
  /** Whether the terminal was closed: then there is nothing to leave. */
  isGone(): boolean
}

export interface TerminalActions {
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
  const hear = (keys: readonly Key[]) => {
    for (const key of keys) {
      if (key.kind === 'press' && key.name === 'ctrl-z') hold.suspend()
      else press(key)
    }
  }
  const read = (bytes: Buffer) => {
    clearTimeout(timer)
    const text = decoder.write(bytes)
    // What was typed before the program was there has been through the terminal's own line editing.
    hear(reader.read(isFirst ? text.replaceAll('\n', '\r') : text))
    isFirst = false
    if (reader.isWaiting) timer = setTimeout(() => hear(reader.flush()), ESCAPE_MS)
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
