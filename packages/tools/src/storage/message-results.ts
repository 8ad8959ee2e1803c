import type { Block, Id } from '@nacre/core'
import { fitTexts } from './fit-texts.js'
import type { ShrinkingText } from './shrinking-text.js'

/** A result on its way into a message. */
export interface HeldResult {
  /** The call that it answers, as it was named when it ran. */
  readonly call: Id
  readonly text: ShrinkingText
  readonly content: readonly Block[]
}

/** The results of one message. They come in side by side and are judged one after the other. */
export interface MessageResults {
  /** Runs when no other result of the message is being judged. */
  inOrder<Result>(work: () => Promise<Result>): Promise<Result>
  /** Takes a result in and makes room for it; gives those that had to become shorter, itself perhaps included. */
  add(result: HeldResult, limit: number, mayChange: (result: HeldResult) => boolean): Promise<readonly HeldResult[]>
  /** Results that became shorter when they were on their way into the log, or in it. */
  readonly revised: Set<HeldResult>
  /** How calls are called that began in an answer that broke off, now that it is whole. */
  readonly names: Map<Id, Id>
}

export function createMessageResults(): MessageResults {
  const held: HeldResult[] = []
  let last: Promise<unknown> = Promise.resolve()
  return {
    revised: new Set(),
    names: new Map(),
    inOrder(work) {
      const done = last.then(work)
      last = done.catch(() => undefined)
      return done
    },
    async add(result, limit, mayChange) {
      held.push(result)
      return fitTexts(held, limit, mayChange)
    },
  }
}
