import { compact } from '@nacre/compact'
import { everyChance, withFixedBatches } from './fixed-batches.mjs'

/** Where neither clearing by size nor clearing by the API is wanted: folds at the threshold, and nothing else. */
const FOLDS_ONLY = { 'compact.clear': false, 'compact.api': false, 'compact.cached': false }

/** What sessions do about their size, by name; `batch-n` is the default, but clears whenever n results can go. */
const STRATEGIES = {
  nothing: () => ({ plugins: [] }),
  'every-chance': () => ({ plugins: [everyChance()] }),
  late: () => ({ plugins: [compact({ policy: 'fidelity' })], flags: FOLDS_ONLY }),
  fidelity: () => ({ plugins: [compact({ policy: 'fidelity' })] }),
  balanced: () => ({ plugins: [compact({ policy: 'balanced' })] }),
  economy: () => ({ plugins: [compact({ policy: 'economy' })] }),
}

/** The options of `compact()`; what they decide depends on prices, so each price is a replay of its own. */
export const POLICIES = /** @type {const} */ (['fidelity', 'balanced', 'economy'])

/** Plugins and flags of a strategy. @param {string} name */
export function strategy(name) {
  const [, batch] = /^batch-(\d+)$/.exec(name) ?? []
  if (batch !== undefined) return { plugins: compact().map((plugin) => withFixedBatches(plugin, Number(batch))) }
  const make = STRATEGIES[name]
  if (!make)
    throw new Error(`There is no strategy '${name}'. There are: ${Object.keys(STRATEGIES).join(', ')}, batch-n.`)
  return make()
}
