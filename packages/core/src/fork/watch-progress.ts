import type { Source } from '../contract/fork.js'
import type { Timer } from '../hooks/timer.js'
import type { Block } from '../log/entry.js'
import type { SessionEvent } from '../loop/events.js'

const KEEP_ALIVE = 30_000
const STEP = 1_000

export interface Progress {
  heard(block: Block): void
  stop(): void
}

/**
 * Tells that an answer beside the conversation is waited for, how much of it has come so far, every half minute that it
 * is still waited for, and the end of it.
 */
export function watchProgress(source: Source, emit: (event: SessionEvent) => void, timer: Timer): Progress {
  let characters = 0
  let told = 0
  let stopWaiting: () => void
  const tell = () => {
    told = characters
    emit({ type: 'fork-progress', source, characters })
  }
  const wait = () => {
    stopWaiting = timer(KEEP_ALIVE, () => {
      tell()
      wait()
    })
  }
  tell()
  wait()
  return {
    heard({ text, thinking }) {
      characters += String(text ?? thinking ?? '').length
      if (characters - told >= STEP) tell()
    },
    stop() {
      stopWaiting()
      emit({ type: 'fork-end', source })
    },
  }
}
