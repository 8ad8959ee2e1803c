import type { Suggestions } from '../input/suggestions.js'
import { cutLine } from '../text/cut-line.js'
import { type Line, span } from '../text/span.js'

/** The suggestions around the one at hand. */
export function suggestionLines({ items, at }: Suggestions, width: number, most: number): Line[] {
  const first = Math.max(0, Math.min(at - Math.floor(most / 2), items.length - most))
  const shown = items.slice(first, first + most)
  const longest = Math.max(...shown.map(({ line }) => line.length))
  return shown.map(({ line, help }, index) => {
    const isAt = first + index === at
    const name = span(`  ${line.padEnd(longest)}`, ...(isAt ? (['cyan', 'bold'] as const) : []))
    return cutLine([name, ...(help ? [span(`  ${help}`, 'dim')] : [])], width)
  })
}
