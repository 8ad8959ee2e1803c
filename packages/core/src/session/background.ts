import type { Conversation } from '../conversation/conversation.js'
import { messageOf, NacreError } from '../errors.js'
import type { CollectedNotes } from '../relief/context.js'
import type { Edit, Note } from '../types/log.js'
import type { Draft } from '../types/relief.js'
import type { Queries } from './queries.js'
import type { Effects } from './types.js'
import type { Underway } from './underway.js'

type Answer = Edit | { readonly refused: string }

/** Work that goes on beside the conversation, and what it would like to change in it. */
export interface Background {
  defer(owner: string, work: (signal: AbortSignal) => Promise<void>): void
  /** Waits for its answer until the session can install drafts. */
  propose(owner: string, draft: Draft): Promise<Answer>
  /** From here on proposals are answered. */
  open(install: Install): void
  /** Answers all proposals; only between two requests. */
  settle(): Promise<void>
  /** Waits for the work; when `signal` is aborted it is told to stop. */
  close(signal: AbortSignal): Promise<void>
}

type Install = (owner: string, draft: Draft) => Promise<Answer>

const DEFERRED = 30 * 60_000

interface BackgroundContext {
  /** While one runs, a request may be on its way, and nothing may change until it is answered. */
  readonly queries: Pick<Queries, 'isRunning'>
  readonly underway: Pick<Underway, 'watch'>
  readonly effects: Pick<Effects, 'timer'>
  /** Milliseconds for deferred work. */
  readonly limit?: number | undefined
  report(error: NacreError): void
}

export function createBackground({
  queries,
  underway,
  effects,
  limit = DEFERRED,
  report,
}: BackgroundContext): Background {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  let install: Install | undefined
  let proposals: { readonly owner: string; readonly draft: Draft; answer(given: Answer | Promise<Answer>): void }[] = []

  const settle = async () => {
    if (!install) return
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
    open(given) {
      install = given
    },
    defer(owner, work) {
      const own = new AbortController()
      const stopped = () => own.abort(stop.signal.reason)
      stop.signal.addEventListener('abort', stopped, { once: true })
      if (stop.signal.aborted) stopped()
      let cancel = () => {}
      const late = new Promise<void>((resolve) => {
        if (!Number.isFinite(limit)) return
        cancel = effects.timer(limit, () => {
          const message = `Background work of plugin '${owner}' took longer than ${limit / 1000} s and was stopped; 'limits.deferred' of the session gives it more.`
          const error = new NacreError('HOOK_TIMEOUT', message, { plugin: owner })
          report(error)
          own.abort(error)
          resolve()
        })
      })
      const worked = (async () => work(own.signal))().catch((error: unknown) => {
        if (own.signal.aborted) return
        const message = `Background work of plugin '${owner}': ${messageOf(error)}`
        report(new NacreError('HOOK_FAILED', message, { plugin: owner, cause: error }))
      })
      const done = Promise.race([worked, late]).finally(() => {
        cancel()
        stop.signal.removeEventListener('abort', stopped)
      })
      running.add(underway.watch({ what: 'background', name: 'deferred work', plugin: owner }, done))
      void done.finally(() => running.delete(done))
    },
    propose(owner, draft) {
      const answered = new Promise<Answer>((answer) => proposals.push({ owner, draft, answer }))
      if (!queries.isRunning()) void settle()
      return answered
    },
    async close(signal) {
      const abort = () => stop.abort(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      if (signal.aborted) abort()
      // What waits for an answer would wait for ever: none comes any more.
      for (const { answer } of proposals) answer({ refused: 'The session was closed.' })
      proposals = []
      await Promise.all(running)
      signal.removeEventListener('abort', abort)
      for (const { answer } of proposals) answer({ refused: 'The session was closed.' })
      proposals = []
    },
  }
}

type OwnedNote = CollectedNotes<unknown>['notes'][number]

/** Notes of hooks on their way into the log. */
export interface Notes {
  give(owner: string, notes: readonly Note[]): void
  /** Makes inserts of what was noted, one edit for each plugin; only between two requests. */
  flush(conversation: Conversation): Promise<void>
  collect<T>(work: () => Promise<T>): Promise<CollectedNotes<T>>
}

export function createNotes(report: (error: NacreError) => void): Notes {
  let waiting: OwnedNote[] = []
  let collected: OwnedNote[] | undefined
  return {
    give(owner, notes) {
      for (const note of notes) (collected ?? waiting).push({ owner, note })
    },
    async flush(conversation) {
      for (const owner of new Set(waiting.map((each) => each.owner))) {
        const own = waiting.filter((each) => each.owner === owner)
        const changes = own.map(({ note }) => ({ kind: 'insert' as const, note }))
        // One that can not be written waits on: it is out of the way only once it is in the log.
        const done = await conversation.edit({ owner, reason: 'note', changes })
        waiting = waiting.filter((each) => !own.includes(each))
        if (!('refused' in done)) continue
        const message = `A note of plugin '${owner}' was refused: ${done.refused}`
        report(new NacreError('EDIT_REFUSED', message, { plugin: owner }))
      }
    },
    async collect(work) {
      const own: OwnedNote[] = []
      collected = own
      try {
        return { value: await work(), notes: own }
      } finally {
        collected = undefined
      }
    },
  }
}
