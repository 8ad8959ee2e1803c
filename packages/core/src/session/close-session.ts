import type { Timer } from '../async.js'
import { NacreError } from '../errors.js'
import { closeChildren } from './child.js'
import type { Runtime } from './runtime.js'
import { keepSpent } from './session-log.js'
import { describeLeft } from './underway.js'

/** How long a close takes at most, unless told. Learning from what was said may need a minute. */
const CLOSE_WITHIN = 120_000
/** What is kept of that time for plugins to end, and for the log: at most so long, and at most these parts of it. */
const FOR_PLUGINS = { milliseconds: 4_000, part: 0.4 }
const FOR_LOG = { milliseconds: 2_000, part: 0.2 }

/**
 * Ends a session step by step. What does not end in its time is left, and told by its name: whoever closes a session
 * gets it closed, and `left()` has the names.
 */
export async function closeSession(runtime: Runtime, reason: string): Promise<void> {
  const { hooks, background, plugins, store, queries, effects, options, underway } = runtime
  const within = options.details?.limits?.closeWithin ?? CLOSE_WITHIN
  const kept = ({ milliseconds, part }: typeof FOR_LOG) => Math.min(milliseconds, within * part)
  const work = limitOf(effects.timer, within - kept(FOR_PLUGINS))
  const ending = limitOf(effects.timer, within - kept(FOR_LOG))
  const last = limitOf(effects.timer, within)
  try {
    await work.within(queries.stop())
    await work.within(hooks.collect('SessionEnd', { reason }))
    // Whoever started one had its chance to end it: none outlives its parent.
    await work.within(closeChildren(runtime, reason))
    await ending.within(background.close(work.signal))
    await ending.within(underway.watch({ what: 'plugin', name: 'dispose' }, plugins.dispose()))
    await ending.within(keepSpent(runtime))
  } finally {
    await last.within(store.close())
    for (const limit of [work, ending, last]) limit.cancel()
  }
  const left = underway.left()
  if (left.length > 0) runtime.report(new NacreError('ABORTED', `Left behind at the close: ${describeLeft(left)}.`))
}

interface Limit {
  /** Falls with the limit. */
  readonly signal: AbortSignal
  /** Waits for work until the limit; what it becomes after that concerns nobody. */
  within(work: Promise<unknown>): Promise<void>
  cancel(): void
}

function limitOf(timer: Timer, milliseconds: number): Limit {
  const controller = new AbortController()
  let reach = () => {}
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const cancel = timer(milliseconds, () => {
    controller.abort(new NacreError('ABORTED', 'The session is closed.'))
    reach()
  })
  return {
    signal: controller.signal,
    within: async (work) => void (await Promise.race([work, reached])),
    cancel,
  }
}
