import type { Draft, Offer, Relief, Span } from '@nacre/core'
import { goesByCache } from '../erase/goes-by-cache.js'
import type { Parts } from '../parts.js'
import { type Choice, chooseCalls } from './choose-calls.js'
import { clearChanges } from './clear-changes.js'
import { type FoundCall, findCalls } from './find-calls.js'
import { losesThinking } from './loses-thinking.js'
import { mayClear } from './may-clear.js'
import { pinnedBlocks } from './pinned-blocks.js'
import { tokenFactor } from './token-factor.js'

/** Clears old results, and shortens the inputs of old calls: by size under pressure, by time, and where it pays. */
export function clearRelief(parts: Parts): Relief {
  const { settings, flag } = parts
  const pinned = pinnedBlocks(parts.store)
  return {
    name: 'clear',
    rung: 'clear',
    async offer(view, need): Promise<Offer | undefined> {
      if (!flag('clear') || (need.pressure === 'idle' && settings.policy === 'fidelity')) return undefined
      // What costs nothing goes first.
      if (need.pressure === 'idle' && goesByCache(need, parts)) return undefined
      const isPinned = need.pressure === 'overflow' ? () => false : await pinned(view)
      const found = findCalls(view).filter(
        ({ name, use, result }) => mayClear(name, need, settings) && !isPinned(use.ref) && !isPinned(result.ref),
      )
      const factor = tokenFactor(view)
      const tokens = (estimate: number) => estimate * factor
      const choice = chooseCalls(view, need, settings, found, tokens)
      const span = spanOf(choice.calls)
      if (!span || (need.pressure === 'idle' && losesThinking(view, need, parts, span))) return undefined
      const options = { others: found.filter((call) => !choice.calls.includes(call)), recall: parts.recall(), tokens }
      return { span, frees: Math.floor(choice.frees), dollars: 0, draft: () => draftOf(choice, options) }
    },
  }
}

/** From the first block that would change to the last one, so that the cache is kept up to there. */
function spanOf(calls: readonly FoundCall[]): Span | undefined {
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

function draftOf({ calls }: Choice, options: Parameters<typeof clearChanges>[1]): Draft {
  const changes = clearChanges(calls, options)
  const inputs = changes.filter(({ content }) => content[0]?.type === 'tool_use').length
  const results = changes.length - inputs
  const reason = [
    ...(results > 0 ? [`cleared ${results} old ${results === 1 ? 'result' : 'results'}`] : []),
    ...(inputs > 0 ? [`shortened the input of ${inputs} old ${inputs === 1 ? 'call' : 'calls'}`] : []),
  ]
  return { changes, reason: reason.join(', ') }
}
