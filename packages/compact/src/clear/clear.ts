import type { Need, Offer, Relief, View } from '@nacre/core'
import { defineLayer, type LayerContext, type Settings } from '../layer/layer.js'
import { type FoundCall, goesByCache } from './clear-calls.js'
import { changedSpan, clearable, draftOf, freesOf, losesThinking, oldCalls } from './cut-calls.js'
import { isPause } from './idle.js'
import { mediaReliefs } from './media.js'

/** Layer 2: old results become one line each, long old inputs their beginnings, and media words when nothing else fits. */
export const clearing = defineLayer('clear', { clear: true }, (layer) => ({
  reliefs: [...mediaReliefs(layer), clearRelief(layer)],
}))

/** Clears old results, and shortens the inputs of old calls: by size under pressure, and where it pays. */
function clearRelief(layer: LayerContext): Relief {
  const { settings, flag } = layer
  return {
    name: 'clear',
    rung: 'clear',
    offer(view, need): Offer | undefined {
      const isIdle = need.pressure === 'idle'
      // What a pause makes free is the business of clearing by time.
      if (!flag('clear') || (isIdle && (settings.policy === 'fidelity' || isPause(need, settings)))) return undefined
      // What costs nothing goes first.
      if (isIdle && goesByCache(need, layer)) return undefined
      const found = clearable(view, need, settings)
      const { calls, frees } = chooseCalls(view, need, settings, found)
      const span = changedSpan(view, { calls })
      if (!span || (isIdle && losesThinking(view, need, layer, span))) return undefined
      const others = found.filter((call) => !calls.includes(call))
      const options = { others, recall: layer.recall(), tokens: need.tokens }
      return { span, frees, dollars: 0, draft: () => draftOf({ calls }, options) }
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
  const old = oldCalls(view, found, settings.keep)
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

function oldestUntil(calls: readonly FoundCall[], isEnough: (estimate: number) => boolean): readonly FoundCall[] {
  let sum = 0
  const end = calls.findIndex((call) => {
    sum += freesOf(call)
    return isEnough(sum)
  })
  return end === -1 ? calls : calls.slice(0, end + 1)
}
