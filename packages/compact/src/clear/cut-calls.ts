import type { BlockRef, Draft, Need, Replace, Span, View } from '@nacre/core'
import type { LayerContext, Settings } from '../layer/layer.js'
import { type ClearOptions, clearChanges, type FoundCall, findCalls, mayClear } from './clear-calls.js'

/** What one cut takes away: results and inputs of calls, and what the model thought. */
interface Cut {
  readonly calls: readonly FoundCall[]
  readonly thoughts?: readonly BlockRef[]
}

/** The calls of a view that a cut may touch, oldest first. */
export function clearable(view: View, need: Need, settings: Settings): readonly FoundCall[] {
  return findCalls(view).filter(
    ({ name, use, result }) =>
      mayClear(name, need, settings) && !isKept(view, need, use.ref) && !isKept(view, need, result.ref),
  )
}

/** What a person has brought back stays, unless a person asks. */
export function isKept(view: View, { trigger }: Need, ref: BlockRef): boolean {
  return trigger === 'auto' && view.isPinned(ref)
}

/** Estimated tokens that clearing a call would free. */
export function freesOf({ resultFrees, inputFrees }: FoundCall): number {
  return resultFrees + inputFrees
}

/** All but the last ones, which count from the end: those of the open turn stay, however many they are. */
export function oldCalls(view: View, found: readonly FoundCall[], keep: number): readonly FoundCall[] {
  const open = view.rounds.at(-1)
  const old = found.filter(({ round }) => round !== open)
  const kept = Math.max(0, keep - (found.length - old.length))
  return old.slice(0, Math.max(0, old.length - kept))
}

/**
 * Whether a cut that is not needed for room would cost the model what it has thought. Where thinking is bound to what
 * stands before it, the API itself can clear results without that, so those who let it are not made to pay with their
 * thoughts.
 */
export function losesThinking(view: View, { model }: Need, { flag }: Pick<LayerContext, 'flag'>, { from }: Span) {
  const hasOtherWay = model.thinking === 'bound' && model.can.has('context-management') && flag('api')
  if (!hasOtherWay) return false
  const first = view.rounds.findIndex(({ entries }) => entries.some(({ id }) => id === from))
  const behind = view.rounds.slice(first).flatMap(({ entries }) => entries.flatMap(({ content }) => content))
  return behind.some(({ type }) => type === 'thinking' || type === 'redacted_thinking')
}

/** From the first block that would change to the last one, so that the cache is kept up to there. */
export function changedSpan({ rounds }: View, { calls, thoughts = [] }: Cut): Span | undefined {
  const changed = new Set([
    ...calls.filter(({ inputFrees }) => inputFrees > 0).map(({ use }) => use.ref.entry),
    ...calls.filter(({ resultFrees }) => resultFrees > 0).map(({ result }) => result.ref.entry),
    ...thoughts.map(({ entry }) => entry),
  ])
  const ids = rounds.flatMap(({ entries }) => entries.flatMap(({ id }) => (changed.has(id) ? [id] : [])))
  const [from] = ids
  const to = ids.at(-1)
  return from !== undefined && to !== undefined ? { from, to } : undefined
}

/** The cut as an edit, with its reason. */
export function draftOf({ calls, thoughts = [] }: Cut, options: ClearOptions): Draft {
  const changes = clearChanges(calls, options)
  const inputs = changes.filter(({ content }) => content[0]?.type === 'tool_use').length
  const count = (number: number, one: string, many = `${one}s`) =>
    number > 0 ? [`${number} ${number === 1 ? one : many}`] : []
  const cleared = [...count(changes.length - inputs, 'old result'), ...count(thoughts.length, 'old thought')]
  const reason = [
    ...(cleared.length > 0 ? [`cleared ${cleared.join(', ')}`] : []),
    ...count(inputs, 'old call', 'old calls').map((which) => `shortened the input of ${which}`),
  ]
  const gone = thoughts.map((target): Replace => ({ kind: 'replace', target, content: [] }))
  return { changes: [...changes, ...gone], reason: reason.join(', ') }
}
