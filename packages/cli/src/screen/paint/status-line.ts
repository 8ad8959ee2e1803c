import type { ScreenState, Status } from '../state/screen-state.js'
import { cutLine } from '../text/cut-line.js'
import { lineWidth } from '../text/line-width.js'
import { type Line, type Span, span } from '../text/span.js'

/** The last line: the model, what is left of the context, the cache, the dollars, and what goes on beside. */
export function statusLine({ status, hint, live }: ScreenState, width: number, now: number): Line {
  if (hint !== undefined) return cutLine([span(hint, 'yellow')], width)
  if (!status) return cutLine([span('Opening the session …', 'dim')], width)
  const lines = versions(status, live.tasks, now).map(joined)
  return lines.find((line) => lineWidth(line) <= width) ?? cutLine(lines.at(-1) ?? [], width)
}

/** From all there is to say to the least. A narrow terminal loses whole figures, those first that change least. */
function versions(status: Status, names: readonly string[], now: number): readonly (readonly Span[])[] {
  const { model, percentLeft, hitRate, dollars } = status
  const mode = status.mode === 'default' ? [] : [span(status.mode, 'magenta')]
  const tasks = names.map((name) => span(name, 'magenta'))
  const left = contextLeft(percentLeft, '% context left')
  const cache = span(`cache ${Math.round(hitRate * 100)}%`, 'dim')
  const price = span(`$${dollars.toFixed(dollars < 1 ? 4 : 2)}`, 'dim')
  const kept = clock(status, now)
  const short = contextLeft(percentLeft, '% left')
  const cents = span(`$${dollars.toFixed(2)}`, 'dim')
  return [
    [span(model, 'dim'), ...mode, left, cache, price, ...kept, ...tasks],
    [...mode, left, cache, price, ...kept, ...tasks],
    [...mode, left, price, ...kept, ...tasks],
    [...mode, short, cents, ...kept, ...tasks],
    [...mode, short, cents, ...tasks],
    [...mode, short, cents],
    [...mode, short],
    [short],
  ]
}

function contextLeft(percent: number, unit: string): Span {
  return span(`${percent}${unit}`, percent <= 10 ? 'red' : percent <= 25 ? 'yellow' : 'dim')
}

/** How long the cache still holds what was sent: after it, the next message pays for all of it anew. */
function clock({ cacheUntil }: Status, now: number): Span[] {
  if (cacheUntil === undefined) return []
  const seconds = Math.ceil((cacheUntil - now) / 1000)
  if (seconds <= 0) return [span('cold', 'yellow')]
  return [span(`warm ${seconds >= 60 ? `${Math.ceil(seconds / 60)}m` : '<1m'}`, 'dim')]
}

function joined(parts: readonly Span[]): Line {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [span(' · ', 'dim'), part]))
}
