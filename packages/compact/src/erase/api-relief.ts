import { type BlockRef, type Erase, estimateBlock, type Need, type Offer, type Relief, type View } from '@nacre/core'
import { pinnedBlocks } from '../clear/pinned-blocks.js'
import { tokenFactor } from '../clear/token-factor.js'
import type { Parts } from '../parts.js'
import { apiFigures } from './api-figures.js'
import { eraseSpan } from './erase-span.js'
import { goesByApi } from './goes-by-api.js'
import { oldThinking } from './old-thinking.js'
import { oldUses } from './old-uses.js'
import { writeInputs } from './write-inputs.js'

const HOUR = 3_600_000
const KEPT_BY_TIME = 5
/** The part of the threshold that has to be free when it is done. */
const ROOM = 0.05
/** What the API puts in the place of a block that it clears takes so many tokens, about. */
const PLACEHOLDER = 12

/**
 * Lets the API clear old results. The decision is an edit like any other; what is sent stays the same to the byte, so that
 * thinking behind it stays valid. On a cold cache all but a few go, since everything will be written anew anyway.
 */
export function apiRelief({ settings, flag, store }: Parts): Relief {
  const pinned = pinnedBlocks(store)
  return {
    name: 'api',
    rung: 'erase',
    async offer(view, need): Promise<Offer | undefined> {
      const isIdle = need.pressure === 'idle'
      if (!flag('api') || !goesByApi(need.model) || (isIdle && settings.policy === 'fidelity')) return undefined
      const isLate = isIdle && need.pace.isCold
      const { trigger } = apiFigures(view)
      if (isIdle && !isLate && view.tokens.total < trigger) return undefined
      const isPinned = need.pressure === 'overflow' ? () => false : await pinned(view)
      const keep = isLate ? Math.max(settings.keep, KEPT_BY_TIME) : settings.keep
      const old = oldUses(view, need, settings, keep)
      // It clears from the start on, so what has to stay ends what can go.
      const end = old.findIndex(({ call, result }) => isPinned(call.ref) || isPinned(result.ref))
      const uses = end === -1 ? old : old.slice(0, end)
      // Where it can not clear on, results are cleared here before long, and thinking goes with that.
      const thoughts = isLate && need.pace.idle >= HOUR && end === -1 ? oldThinking(view) : []
      const results = uses.flatMap(({ result }) => (result.shows === 'erased' ? [] : [result.ref]))
      const inputs = writeInputs(uses, need)
      const targets = [...thoughts, ...inputs, ...results]
      const frees = Math.floor(tokensOf(view, targets))
      const span = eraseSpan(view, targets)
      if (!span || frees < (isLate ? 1 : leastOf(view, need))) return undefined
      const changes = targets.map((target): Erase => ({ kind: 'erase', target }))
      const draft = { changes, reason: reasonOf(results.length, inputs.length, thoughts.length) }
      return { span, frees, dollars: 0, draft: () => draft }
    },
  }
}

/** Above the threshold it has to make room for a while: each time that it clears, the cache breaks. */
function leastOf(view: View, { pressure, excess }: Need): number {
  if (pressure === 'idle') return apiFigures(view).least
  return pressure === 'high' ? excess + view.tokens.threshold * ROOM : 1
}

function tokensOf(view: View, targets: readonly BlockRef[]): number {
  const sizes = targets.flatMap(view.shown).map((block) => estimateBlock(block) - PLACEHOLDER)
  return sizes.reduce((sum, size) => sum + size, 0) * tokenFactor(view)
}

function reasonOf(results: number, inputs: number, thoughts: number): string {
  const count = (number: number, one: string, many = `${one}s`) =>
    number === 0 ? [] : [`${number} old ${number === 1 ? one : many}`]
  const what = [...count(thoughts, 'thought'), ...count(inputs, 'input'), ...count(results, 'result')]
  return `the API clears ${what.join(', ')}`
}
