import { orAborted } from '../async.js'
import { hasOddRules, hasOddRulesBelow } from './ignore-rules.js'
import { wasKilled } from './ripgrep.js'

interface Search {
  readonly root: string
  readonly signal: AbortSignal
  readonly seconds?: number | undefined
}

const MOST_SECONDS = 60

/** Ends a search that comes to no end, and one that is interrupted, whatever it waits for. */
export async function inTime<Result>(search: Search, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const { root, signal, seconds = MOST_SECONDS } = search
  const time = new AbortController()
  const timer = setTimeout(() => time.abort(), seconds * 1_000)
  const either = AbortSignal.any([signal, time.signal])
  try {
    return await orAborted(work(either), either)
  } catch (error) {
    if (signal.aborted || !time.signal.aborted) throw error
    throw new Error(
      `The search in ${root} came to no end within ${seconds} seconds, so it has no result. Narrow it: give a folder ` +
        'further down as path, or a glob or type.',
    )
  } finally {
    clearTimeout(timer)
  }
}

/** From here on it is worth a look why ripgrep takes so long. */
const SLOW = 1_000

/**
 * Asks ripgrep, unless it would never answer: it waits for an ignore file that is a pipe, and reads one that does not end
 * until no memory is left. What it can not do is done in JavaScript, which passes such a file over and says so.
 */
export async function askSafely<Answer>(
  { root, signal }: Search,
  byRipgrep: ((signal: AbortSignal) => Promise<Answer>) | undefined,
  byScript: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  if (!byRipgrep || hasOddRules(root)) return byScript(signal)
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  let isOdd = false
  const look = async () => {
    isOdd = await hasOddRulesBelow(root, either)
    if (isOdd) stop.abort()
  }
  const timer = setTimeout(look, SLOW)
  try {
    return await byRipgrep(either)
  } catch (error) {
    if (signal.aborted || !(isOdd || wasKilled(error))) throw error
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
  return byScript(signal)
}
