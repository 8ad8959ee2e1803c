import type { Hooks, SetupContext } from '@nacre/core'
import type { LiveTools } from './live-tools.js'
import { readState, writeState } from './mcp-state.js'
import type { ServerConnection } from './server-connection.js'
import { type AllWords, serversSection, wordChanges, wordsOf } from './server-words.js'

export interface WordsTold {
  /** The section of the prompt. What it says is told once the prompt with it is in force. */
  write(): string | undefined
  wereRead(): Promise<void>
  readonly hooks: Pick<Hooks, 'PreModelCall' | 'ViewChanged'>
}

/** Keeps the model told of what servers say: first in the system prompt, then by notes about what has changed. */
export function wordsTold(parts: {
  readonly connections: readonly ServerConnection[]
  readonly tools: LiveTools
  readonly store: SetupContext['store']
}): WordsTold {
  const { connections, tools, store } = parts
  let written: { readonly words: AllWords; readonly isDeferring: boolean } | undefined
  const current = () => ({ words: wordsOf(connections), isDeferring: tools.isDeferring() })
  const wereRead = async () => {
    if (written && connections.length > 0) await writeState(store, 'told', written)
  }
  return {
    write() {
      written = current()
      return serversSection(connections, written.isDeferring)
    },
    wereRead,
    hooks: {
      async PreModelCall({ view }, { note }) {
        const text = wordChanges(readState(view, 'told')?.words ?? {}, connections, tools.isDeferring())
        if (text === undefined) return
        note({ text, trust: 'content', tag: 'mcp-servers' })
        await writeState(store, 'told', current())
      },
      async ViewChanged({ edit }) {
        const isAnew = edit.changes.some((change) => (change.kind === 'fold' || change.kind === 'drop') && change.epoch)
        if (isAnew) await wereRead()
      },
    },
  }
}
