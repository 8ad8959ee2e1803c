import {
  type BlockRef,
  type Erase,
  estimateBlock,
  type Handler,
  type Json,
  type ModelInfo,
  type Need,
  type Offer,
  type Relief,
  type View,
} from '@nacre/core'
import { longInputTokens } from '../clear/clear-calls.js'
import { isDue, isLongAgo, oldThinking } from '../clear/idle.js'
import { defineLayer, type LayerContext } from '../layer/layer.js'
import { refKey } from '../log/edits.js'
import { cachedRelief, expiredRelief } from './cached.js'
import { eraseSpan, findUses, oldUses, revertErases, type ToolUse } from './uses.js'

/** Old results that the server leaves out while what is sent stays the same: nothing else loses as little. */
export const erasing = defineLayer(
  'erase',
  {
    /** The API itself clears old results, on models whose thinking is bound to its prefix. */
    api: true,
    /** Results are deleted from the server's cache by reference, where the model adapter can. */
    cached: false,
  },
  (layer) => ({
    reliefs: [apiRelief(layer), cachedRelief(layer), expiredRelief(layer)],
    hooks: { PreModelCall: announceApi(layer), ViewChanged: endGaps(layer) },
  }),
)

/**
 * Lets the API clear old results. The decision is an edit like any other; what is sent stays the same to the byte, so that
 * thinking behind it stays valid. On a cold cache all but a few go, since everything will be written anew anyway.
 */
function apiRelief({ settings, flag }: LayerContext): Relief {
  return {
    name: 'api',
    rung: 'erase',
    offer(view, need): Offer | undefined {
      const isIdle = need.pressure === 'idle'
      if (!flag('api') || !goesByApi(need.model)) return undefined
      const isLate = isIdle && flag('idle') && isDue(need, settings)
      const isEarly = settings.policy === 'fidelity' || view.tokens.total < apiFigures(view).trigger
      if (isIdle && !isLate && isEarly) return undefined
      const isPinned = (ref: BlockRef) => need.trigger === 'auto' && view.isPinned(ref)
      const keep = isLate ? settings.idle.keep : settings.keep
      const old = oldUses(view, need, settings, keep)
      // It clears from the start on, so what has to stay ends what can go.
      const end = old.findIndex(({ call, result }) => isPinned(call.ref) || isPinned(result.ref))
      const uses = end === -1 ? old : old.slice(0, end)
      // Where it can not clear on, results are cleared here before long, and thinking goes with that.
      const thoughts = isLate && isLongAgo(need) && end === -1 ? oldThinking(view) : []
      const results = uses.flatMap(({ result }) => (result.shows === 'erased' ? [] : [result.ref]))
      const inputs = writeInputs(uses, need)
      const targets = [...thoughts, ...inputs, ...results]
      const frees = freedBy(view, need, targets)
      const span = eraseSpan(view, targets)
      if (!span || frees < (isLate ? 1 : leastOf(view, need))) return undefined
      const changes = targets.map((target): Erase => ({ kind: 'erase', target }))
      const draft = { changes, reason: reasonOf(results.length, inputs.length, thoughts.length) }
      return { span, frees, dollars: 0, ...(isLate && { isDue: true }), draft: () => draft }
    },
  }
}

/** The part of the threshold that has to be free when it is done. */
const ROOM = 0.05

/** Above the threshold it has to make room for a while: each time that it clears, the cache breaks. */
function leastOf(view: View, { pressure, excess }: Need): number {
  if (pressure === 'idle') return apiFigures(view).least
  return pressure === 'high' ? excess + view.tokens.threshold * ROOM : 1
}

/** What the API puts in the place of a block that it clears takes so many tokens, about. */
const PLACEHOLDER = 12

function freedBy(view: View, { tokens }: Need, targets: readonly BlockRef[]): number {
  const sizes = targets.flatMap(view.shown).map((block) => estimateBlock(block) - PLACEHOLDER)
  return tokens(sizes.reduce((sum, size) => sum + size, 0))
}

function reasonOf(results: number, inputs: number, thoughts: number): string {
  const count = (number: number, one: string, many = `${one}s`) =>
    number === 0 ? [] : [`${number} old ${number === 1 ? one : many}`]
  const what = [...count(thoughts, 'thought'), ...count(inputs, 'input'), ...count(results, 'result')]
  return `the API clears ${what.join(', ')}`
}

/**
 * Whether the API is to clear what is old: where thinking is bound to what stands before it, to clear it here would cost
 * what the model has thought.
 */
function goesByApi({ thinking, can }: ModelInfo): boolean {
  return thinking === 'bound' && can.has('context-management') && !can.has('cache-edits')
}

const TRIGGER = 180_000
const LEAST = 140_000
/** Before a fold would come. */
const BELOW_THRESHOLD = 0.9

/** From how many tokens on the API is to clear, and how many it has to free at least. */
function apiFigures({ tokens }: View): { readonly trigger: number; readonly least: number } {
  const trigger = Math.min(TRIGGER * tokens.scale, tokens.threshold * BELOW_THRESHOLD)
  return { trigger, least: (LEAST * trigger) / TRIGGER }
}

/** The inputs that go with old results: all those of a tool that writes, where some of them are long. The API goes by names. */
function writeInputs(uses: readonly ToolUse[], need: Need): readonly BlockRef[] {
  const names = new Set(uses.filter((use) => isLongWrite(use, need)).map(({ name }) => name))
  return uses.flatMap(({ name, call }) => (names.has(name) && call.shows !== 'erased' ? [call.ref] : []))
}

function isLongWrite({ name, call }: ToolUse, need: Need): boolean {
  if (longInputTokens(call.block) === 0) return false
  const tool = need.tool(name)
  try {
    return tool !== undefined && !tool.isReadOnly(tool.schema.parse(call.block.input))
  } catch {
    return false
  }
}

const BETA = 'context-management-2025-06-27'

/** Betas stay as the first request sends them, so the one that clearing needs is there before anything is cleared. */
function announceApi({ flag, model }: LayerContext): Handler<'PreModelCall'> {
  return ({ value }) => {
    if (!flag('api') || !goesByApi(model)) return undefined
    const { betas = [] } = (value.extra ?? {}) as { readonly betas?: readonly Json[] }
    return { ...value, extra: { ...value.extra, betas: [...new Set([...betas, BETA])] } }
  }
}

/**
 * The API clears from the start on. Where a person has brought back what it cleared, or what stands before that, it can
 * not be asked for the rest any more: then that is brought back too, so that the view says what the model sees.
 */
function endGaps({ model }: LayerContext): Handler<'ViewChanged'> {
  return async ({ edit, view }, { propose, store }) => {
    if (!goesByApi(model) || edit.owner === 'compact' || !edit.changes.some(({ kind }) => kind === 'revert')) return
    const lost = behindGap(view)
    if (lost.size === 0) return
    const changes = await revertErases(store, lost)
    // Installed between two requests, which this handler must not wait for.
    if (changes.length > 0) void propose({ changes, reason: 'the API clears from the start on only' }).catch(() => {})
  }
}

/** Results that are erased behind one that is not, of tools whose results are erased at all. */
function behindGap(view: View): ReadonlySet<string> {
  const uses = findUses(view)
  const names = new Set(uses.filter(({ result }) => result.shows === 'erased').map(({ name }) => name))
  const gap = uses.findIndex(({ name, result }) => names.has(name) && result.shows !== 'erased')
  const behind = gap === -1 ? [] : uses.slice(gap).filter(({ result }) => result.shows === 'erased')
  return new Set(behind.map(({ result }) => refKey(result.ref)))
}
