import type { Draft } from '../contract/relief.js'
import type { Edit } from '../log/edit.js'
import { NacreError } from '../nacre-error.js'

type Answer = Edit | { readonly refused: string }

/** Work that goes on beside the conversation, and what it would like to change in it. */
export interface Background {
  defer(owner: string, work: (signal: AbortSignal) => Promise<void>): void
  propose(owner: string, draft: Draft): Promise<Answer>
  /** Answers all proposals; only between two requests. */
  settle(): Promise<void>
  /** Waits for the work; when `signal` is aborted it is told to stop. */
  close(signal: AbortSignal): Promise<void>
}

export interface BackgroundParts {
  install(owner: string, draft: Draft): Promise<Answer>
  /** Whether a request is on its way: nothing may change until it is answered. */
  isBusy(): boolean
  report(error: NacreError): void
}

export function createBackground({ install, isBusy, report }: BackgroundParts): Background {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  let proposals: { readonly owner: string; readonly draft: Draft; answer(given: Answer | Promise<Answer>): void }[] = []

  const settle = async () => {
    const all = proposals
    proposals = []
    for (const { owner, draft, answer } of all) {
      const given = install(owner, draft)
      answer(given)
      await given.catch(() => undefined)
    }
  }
  return {
    settle,
    defer(owner, work) {
      const done = (async () => work(stop.signal))().catch((error: unknown) => {
        if (stop.signal.aborted) return
        const why = error instanceof Error ? error.message : String(error)
        report(
          new NacreError('HOOK_FAILED', `Background work of plugin '${owner}': ${why}`, {
            plugin: owner,
            cause: error,
          }),
        )
      })
      running.add(done)
      void done.finally(() => running.delete(done))
    },
    propose(owner, draft) {
      const answered = new Promise<Answer>((answer) => proposals.push({ owner, draft, answer }))
      if (!isBusy()) void settle()
      return answered
    },
    async close(signal) {
      const abort = () => stop.abort(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      await Promise.all(running)
      signal.removeEventListener('abort', abort)
      for (const { answer } of proposals) answer({ refused: 'The session was closed.' })
      proposals = []
    },
  }
}
