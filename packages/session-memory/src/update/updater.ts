import { type AssistantEntry, type HookContext, type Id, isNacreError, type NoticeEntry } from '@nacre/core'
import { OWNER } from '../covering/coverage.js'
import { DEAD, FAILURES, GIVEN_UP, WAIT } from '../figures.js'
import type { Parts } from '../parts.js'
import { isDue } from './is-due.js'
import { runUpdate } from './run-update.js'
import { waitFor } from './wait-for.js'

/** Keeps the notes up to date beside the conversation, one update at a time. */
export interface Updater {
  /** Is told of each response, and begins an update where one is due. While one runs, the newest that is due waits. */
  heard(response: AssistantEntry, context: HookContext): void
  /** Resolves when the running update has ended, or is not to be waited for any longer. */
  settled(signal: AbortSignal): Promise<void>
  /** Why there are no more updates. */
  stopped(): string | undefined
  /** Lets the running update come to its end, and begins no other. */
  close(): void
}

interface Trigger {
  readonly response: AssistantEntry
  readonly context: HookContext
}

export function createUpdater(parts: Parts): Updater {
  const { settings, now } = parts
  let running: { readonly since: number; readonly done: Promise<void> } | undefined
  let waiting: Trigger | undefined
  let tried: Id | undefined
  let failures = 0
  let problem: string | undefined
  let stopped: string | undefined
  let cappedOn: string | undefined

  const isWanted = ({ response, context }: Trigger) =>
    stopped === undefined && parts.flag('updates') && isDue(context.view(), response, settings.growth, tried)

  const failed = async (error: unknown) => {
    failures += 1
    problem = error instanceof Error ? error.message : String(error)
    if (failures < FAILURES) {
      await tell(parts, 'info', `The notes could not be brought up to date: ${problem} They will be tried again.`)
      return
    }
    stopped = `${failures} updates of the notes in a row have failed, the last one like this: ${problem}`
    await tell(parts, 'warning', `There are no more notes until the session is opened again: ${stopped}`)
  }

  const isCapped = async () => {
    if ((await parts.spending.today()) < settings.dailyDollars) return false
    const day = new Date(now()).toDateString()
    const text = `Updates of the notes have cost their $${settings.dailyDollars} for today; the next ones are tomorrow.`
    if (cappedOn !== day) await tell(parts, 'info', text)
    cappedOn = day
    return true
  }

  const attempt = async ({ context }: Trigger, closing: AbortSignal) => {
    if (settings.dailyDollars !== Number.POSITIVE_INFINITY && (await isCapped())) return
    const late = new AbortController()
    const cancel = settings.timer(GIVEN_UP, () => late.abort())
    const signal = AbortSignal.any([closing, late.signal])
    try {
      await runUpdate(parts, { context, problem, signal })
      failures = 0
      problem = undefined
    } catch (error) {
      const isStopped = isNacreError(error, 'ABORTED') && !late.signal.aborted
      if (!isStopped && parts.flag('updates'))
        await failed(late.signal.aborted ? new Error('It took too long.') : error)
    } finally {
      cancel()
    }
  }

  const work = async (first: Trigger, signal: AbortSignal) => {
    for (let next: Trigger | undefined = first; next; next = waiting) {
      waiting = undefined
      if (signal.aborted || !isWanted(next)) break
      tried = next.response.id
      running = { since: now(), done: attempt(next, signal) }
      await running.done
    }
    running = undefined
  }

  return {
    heard(response, context) {
      const trigger = { response, context }
      if (!isWanted(trigger)) return
      if (running) waiting = trigger
      else context.defer((signal) => work(trigger, signal))
    },
    async settled(signal) {
      if (!running || now() - running.since >= DEAD) return
      await waitFor(running.done, { milliseconds: WAIT, timer: settings.timer, signal })
    },
    stopped: () => stopped,
    close() {
      stopped ??= 'The session has ended.'
    },
  }
}

async function tell({ store }: Parts, level: NoticeEntry['level'], text: string): Promise<void> {
  await store.append([{ kind: 'notice', id: '', time: 0, owner: OWNER, level, text }])
}
