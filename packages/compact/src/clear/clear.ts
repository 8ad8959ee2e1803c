import type { BlockRef, Draft, Need, Offer, Relief, Span, View } from '@nacre/core'
import { defineLayer, type LayerContext, type Settings } from '../layer/layer.js'
import { type ClearOptions, clearChanges, type FoundCall, findCalls, mayClear } from './clear-calls.js'
import { mediaReliefs } from './media.js'

/** Layer 2: old results become one line each, long old inputs their beginnings, and media words when nothing else fits. */
export const clearing = defineLayer('clear', { clear: true }, (layer) => ({
  reliefs: [...mediaReliefs(layer), clearRelief(layer)],
}))

/** Clears old results, and shortens the inputs of old calls: by size under pressure, by time, and where it pays. */
function clearRelief(layer: LayerContext): Relief {
  const { settings, flag } = layer
  return {
    name: 'clear',
    rung: 'clear',
    offer(view, need): Offer | undefined {
      if (!flag('clear') || (need.pressure === 'idle' && settings.policy === 'fidelity')) return undefined
      // What costs nothing goes first.
      if (need.pressure === 'idle' && goesByCache(need, layer)) return undefined
      const isPinned = (ref: BlockRef) => need.trigger === 'auto' && view.isPinned(ref)
      const found = findCalls(view).filter(
        ({ name, use, result }) => mayClear(name, need, settings) && !isPinned(use.ref) && !isPinned(result.ref),
      )
      const choice = chooseCalls(view, need, settings, found)
      const span = changedSpan(choice.calls)
      if (!span || (need.pressure === 'idle' && losesThinking(view, need, layer, span))) return undefined
      const others = found.filter((call) => !choice.calls.includes(call))
      const options = { others, recall: layer.recall(), tokens: need.tokens }
      return { span, frees: choice.frees, dollars: 0, draft: () => draftOf(choice.calls, options) }
    },
  }
}

/** By size: how many tokens of results may stay, and how many have to be freed at least. */
const [SIZE, LEAST] = [40_000, 20_000]

/** Calls to clear, with how many tokens that frees. */
interface Choice {
  readonly calls: readonly FoundCall[]
  readonly frees: number
}

/** Which of the calls go at the pressure there is; none where it is not worth it. */
function chooseCalls(view: View, need: Need, settings: Settings, found: readonly FoundCall[]): Choice {
  const old = oldCalls(view, found, need.pressure === 'idle' && isLate(need) ? keptByTime(settings) : settings.keep)
  const { scale, tokens } = need
  const frees = (calls: readonly FoundCall[]) => tokens(calls.reduce((sum, call) => sum + freesOf(call), 0))
  if (need.pressure === 'idle') return { calls: old, frees: frees(old) }
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
function isLate(need: Need): boolean {
  return need.pace.isCold || isLongAgo(need)
}

const HOUR = 3_600_000

/** An hour without a word: what the model thought before is of no more use to it than its results. */
export function isLongAgo({ pace }: Need): boolean {
  return pace.idle >= HOUR
}

const KEPT_BY_TIME = 5

/** How many results stay where the cache has expired. */
export function keptByTime({ keep }: Settings): number {
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

/**
 * Whether a cut for money alone would cost the model what it has thought. Where thinking is bound to what stands before
 * it, the API itself can clear results without that, so those who let it are not made to pay with their thoughts.
 */
function losesThinking(view: View, need: Need, { flag }: LayerContext, { from }: Span): boolean {
  const { thinking, can } = need.model
  const hasOtherWay = thinking === 'bound' && can.has('context-management') && flag('api')
  if (!hasOtherWay || isLongAgo(need)) return false
  const first = view.rounds.findIndex(({ entries }) => entries.some(({ id }) => id === from))
  const behind = view.rounds.slice(first).flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  return behind.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
}

/** Whether old results are deleted from the server's cache, which costs nothing as long as the cache is there. */
export function goesByCache({ model, pace }: Need, { flag }: Pick<LayerContext, 'flag'>): boolean {
  return flag('cached') && model.can.has('cache-edits') && !pace.isCold
}

/** From the first block that would change to the last one, so that the cache is kept up to there. */
function changedSpan(calls: readonly FoundCall[]): Span | undefined {
  const places = calls.flatMap(({ use, result, round, inputFrees, resultFrees }) => {
    const order = (entry: string) => round.entries.findIndex(({ id }) => id === entry)
    return [
      ...(inputFrees > 0 ? [{ round, entry: use.ref.entry, index: order(use.ref.entry) }] : []),
      ...(resultFrees > 0 ? [{ round, entry: result.ref.entry, index: order(result.ref.entry) }] : []),
    ]
  })
  const [first] = places.filter(({ round }) => round === places[0]?.round).sort((a, b) => a.index - b.index)
  const last = places
    .filter(({ round }) => round === places.at(-1)?.round)
    .sort((a, b) => a.index - b.index)
    .at(-1)
  return first && last && { from: first.entry, to: last.entry }
}

function draftOf(calls: readonly FoundCall[], options: ClearOptions): Draft {
  const changes = clearChanges(calls, options)
  const inputs = changes.filter(({ content }) => content[0]?.type === 'tool_use').length
  const results = changes.length - inputs
  const reason = [
    ...(results > 0 ? [`cleared ${results} old ${results === 1 ? 'result' : 'results'}`] : []),
    ...(inputs > 0 ? [`shortened the input of ${inputs} old ${inputs === 1 ? 'call' : 'calls'}`] : []),
  ]
  return { changes, reason: reason.join(', ') }
}
