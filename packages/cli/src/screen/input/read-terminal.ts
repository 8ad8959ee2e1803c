import { StringDecoder } from 'node:string_decoder'
import type { Terminal } from '../../terminal.js'
import type { Key } from './key.js'
import { keyReader } from './read-keys.js'

/** How long an escape may be the beginning of a longer sequence. */
const ESCAPE_MS = 40
const PASTE_ON = '\u001b[?2004h'
const PASTE_OFF = '\u001b[?2004l'

/** Reads keys until told to stop; gives the way to stop, which leaves the terminal as it was. */
export function readTerminal({ stdin, stdout }: Terminal, press: (key: Key) => void, end: () => void): () => void {
  const decoder = new StringDecoder('utf8')
  const reader = keyReader()
  let timer: NodeJS.Timeout | undefined
  let isFirst = true
  const hear = (keys: readonly Key[]) => {
    for (const key of keys) press(key)
  }
  const read = (bytes: Buffer) => {
    clearTimeout(timer)
    const text = decoder.write(bytes)
    // What was typed before the program was there has been through the terminal's own line editing.
    hear(reader.read(isFirst ? text.replaceAll('\n', '\r') : text))
    isFirst = false
    if (reader.isWaiting) timer = setTimeout(() => hear(reader.flush()), ESCAPE_MS)
  }
  stdin.setRawMode?.(true)
  stdout.write(PASTE_ON)
  stdin.on('data', read)
  // A terminal that is closed says nothing more.
  stdin.once('end', end)
  stdin.once('error', end)
  for (const signal of SIGNALS) process.once(signal, end)
  return () => {
    clearTimeout(timer)
    stdin.off('data', read)
    stdin.off('end', end)
    stdin.off('error', end)
    for (const signal of SIGNALS) process.off(signal, end)
    stdin.setRawMode?.(false)
    stdin.pause()
    stdin.unref?.()
    stdout.write(PASTE_OFF)
  }
}

const SIGNALS = ['SIGTERM', 'SIGHUP'] as const
