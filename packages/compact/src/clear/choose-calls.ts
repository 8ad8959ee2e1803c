import type { Need, View } from '@nacre/core'
import type { Settings } from '../settings.js'
import type { FoundCall } from './find-calls.js'

const FULL_WINDOW = 200_000
/** By size: how many tokens of results may stay, and how many have to be freed at least. */
const [SIZE, LEAST] = [40_000, 20_000]
const HOUR = 3_600_000
const KEPT_BY_TIME = 5

/** Calls to clear, with how many tokens that frees. */
export interface Choice {
  readonly calls: readonly FoundCall[]
  readonly frees: number
}

/** Which of the calls go at the pressure there is; none where it is not worth it. `tokens` gives real tokens for an estimate. */
export function chooseCalls(
  view: View,
  need: Need,
  settings: Settings,
  found: readonly FoundCall[],
  tokens: (estimate: number) => number,
): Choice {
  const old = oldCalls(view, found, need.pressure === 'idle' && isLate(need) ? keptByTime(settings) : settings.keep)
  const frees = (calls: readonly FoundCall[]) => tokens(calls.reduce((sum, call) => sum + freesOf(call), 0))
  if (need.pressure === 'idle') return { calls: old, frees: frees(old) }
  const scale = Math.min(1, view.tokens.window / FULL_WINDOW)
  const wanted = Math.max(frees(found) - SIZE * scale, LEAST * scale, need.excess)
  const calls = oldestUntil(old, (estimate) => tokens(estimate) >= wanted)
  const freed = frees(calls)
  // A session that is let down to just below the threshold is above it again in no time, at the price of another cut.
  const isEnough = freed >= LEAST * scale || (need.pressure === 'overflow' && freed >= need.excess)
  return isEnough ? { calls, frees: freed } : { calls: [], frees: 0 }
}

function freesOf({ resultFrees, inputFrees }: FoundCall): number {
  return resultFrees + inputFrees
}

/** The cache has expired, so that everything will be written anew anyway. */
function isLate({ pace }: Need): boolean {
  return pace.isCold || pace.idle >= HOUR
}

/** An hour without a word: what the model thought before is of no more use to it than its results. */
export function isLongAgo({ pace }: Need): boolean {
  return pace.idle >= HOUR
}

function keptByTime({ keep }: Settings): number {
  return Math.max(keep, KEPT_BY_TIME)
}

/** All but the last ones, which count from the end: those of the open turn stay, however many they are. */
function oldCalls(view: View, found: readonly FoundCall[], keep: number): readonly FoundCall[] {
  const open = view.rounds.at(-1)
  const old = found.filter(({ round }) => round !== open)
  const kept = Math.max(0, keep - (found.length - old.length))
  return old.slice(0, Math.max(0, old.length - kept))
}

function oldestUntil(calls: readonly FoundCall[], isEnough: (estimate: number) => boolean): readonly FoundCall[] {
  let sum = 0
  const end = calls.findIndex((call) => {
    sum += freesOf(call)
    return isEnough(sum)
  })
  return end === -1 ? calls : calls.slice(0, end + 1)
}
