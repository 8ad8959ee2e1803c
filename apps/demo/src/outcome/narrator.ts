import type { ToolCall } from '@nacre/core'
import type { Firing } from './outcome.js'

/** Tells the story while it is played. */
export interface Narrator {
  scene(title: string): void
  prompt(text: string): void
  /** What the person types that is no prompt, and what is done to the process. */
  command(text: string, circumstance?: string): void
  call(call: ToolCall): void
  fired(firing: Firing): void
  answer(text: string): void
  /** What a command prints, line by line. */
  output(text: string): void
  /** The API did not answer, and is asked again. */
  retried(attempt: number, reason: string): void
  refused(reason: string): void
  /** Shows what has come up since, at the pace of whoever reads. */
  flush(): Promise<void>
}

const nothing = () => undefined

/** Says nothing. */
export const silent: Narrator = {
  scene: nothing,
  prompt: nothing,
  command: nothing,
  call: nothing,
  fired: nothing,
  answer: nothing,
  output: nothing,
  retried: nothing,
  refused: nothing,
  flush: async () => undefined,
}
