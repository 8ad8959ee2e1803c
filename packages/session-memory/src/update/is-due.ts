import type { AssistantEntry, Id, View } from '@nacre/core'
import { readCoverage } from '../covering/coverage.js'
import { firstAfter, firstUnfolded } from '../covering/first-after.js'
import { tailOf } from '../covering/tail-of.js'
import { CALLS_BETWEEN, FIGURES, scaleOf } from '../figures.js'

/** Whether notes have to be brought up to date after a response. `tried` is the response after which it was tried last. */
export function isDue(view: View, response: AssistantEntry, growth: number, tried: Id | undefined): boolean {
  const scale = scaleOf(view.tokens.window)
  const covers = readCoverage(view)?.covers
  const since = tried ?? covers
  if (since === undefined) return view.tokens.total >= FIGURES.first * scale
  const places = [tried, covers].flatMap((id) => (id === undefined ? [] : (firstAfter(view, id) ?? [])))
  const place = places.sort((a, b) => b.round - a.round || b.entry - a.entry)[0] ?? firstUnfolded(view)
  const { tokens, calls } = tailOf(view, place)
  // What has come in is always asked for: it is what an update is paid for.
  if (tokens < growth * scale) return false
  return calls >= CALLS_BETWEEN || !response.content.some(({ type }) => type === 'tool_use')
}
