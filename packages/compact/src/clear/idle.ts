import { type BlockRef, estimateBlock, type Need, type Offer, type Relief, type View } from '@nacre/core'
import { defineLayer, type LayerContext, type Settings } from '../layer/layer.js'
import { goesByCache } from './clear-calls.js'
import { changedSpan, clearable, draftOf, freesOf, isKept, losesThinking, oldCalls } from './cut-calls.js'

/** Clearing by time: after a pause all is written anew in any case, so what is old goes, and what was thought long ago. */
export const idleClearing = defineLayer('idle', { idle: true }, (layer) => ({ reliefs: [idleRelief(layer)] }))

/** It has nothing to do with what is read from the cache, so it works with every policy. */
function idleRelief(layer: LayerContext): Relief {
  const { settings, flag } = layer
  return {
    name: 'idle',
    rung: 'clear',
    offer(view, need): Offer | undefined {
      if (!flag('idle') || need.pressure !== 'idle' || !isDue(need, settings)) return undefined
      // What costs nothing goes first.
      if (goesByCache(need, layer)) return undefined
      const found = clearable(view, need, settings)
      const calls = oldCalls(view, found, settings.idle.keep)
      const mayThink = isLongAgo(need) && need.model.thinking !== 'bound'
      const thoughts = mayThink ? oldThinking(view).filter((ref) => !isKept(view, need, ref)) : []
      const span = changedSpan(view, { calls, thoughts })
      if (!span || (!isLongAgo(need) && losesThinking(view, need, layer, span))) return undefined
      const freed = [...calls.map(freesOf), ...thoughts.flatMap(view.shown).map(estimateBlock)]
      const options = {
        others: found.filter((call) => !calls.includes(call)),
        recall: layer.recall(),
        tokens: need.tokens,
      }
      const draft = () => draftOf({ calls, thoughts }, options)
      const frees = need.tokens(freed.reduce((sum, size) => sum + size, 0))
      return { span, frees, dollars: 0, isDue: true, draft }
    },
  }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Whether the pause was long enough: until the cache had expired, unless a number of minutes was told. */
export function isDue(need: Need, { idle: { minutes } }: Settings): boolean {
  return minutes === undefined ? isCold(need) : need.pace.idle >= minutes * MINUTE
}

/** A pause that clearing by time is about, or will be once it is as long as was told. */
export function isPause(need: Need, settings: Settings): boolean {
  return isCold(need) || isDue(need, settings)
}

function isCold(need: Need): boolean {
  return need.pace.isCold || isLongAgo(need)
}

/** An hour without a word: what the model thought before is of no more use to it than its results. */
export function isLongAgo({ pace }: Need): boolean {
  return pace.idle >= HOUR
}

/** The thinking of all turns but the last one that has some. A turn is what is answered between two things that are said. */
export function oldThinking(view: View): readonly BlockRef[] {
  const turns: BlockRef[][] = [[]]
  for (const { kind, id, content } of view.rounds.flatMap(({ entries }) => entries)) {
    if (kind === 'user' && content.some(({ type }) => type !== 'tool_result')) turns.push([])
    if (kind === 'user') continue
    const thoughts = content.flatMap(({ type }, block): BlockRef[] =>
      type === 'thinking' || type === 'redacted_thinking' ? [{ entry: id, block }] : [],
    )
    turns.at(-1)?.push(...thoughts)
  }
  const thinking = turns.filter(({ length }) => length > 0)
  return thinking
    .slice(0, -1)
    .flat()
    .filter((target) => view.shows(target) === 'whole')
}
