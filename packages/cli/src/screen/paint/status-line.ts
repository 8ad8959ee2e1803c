import type { ScreenState, Status } from '../state/screen-state.js'
import { cutLine } from '../text/cut-line.js'
import { lineWidth } from '../text/line-width.js'
import { type Line, type Span, span } from '../text/span.js'

/** The last line: the model, what is left of the context, the cache, the dollars, and what goes on beside. */
export function statusLine({ status, hint, live }: ScreenState, width: number, now: number): Line {
  if (hint !== undefined) return cutLine([span(hint, 'yellow')], width)
  if (!status) return cutLine([span('Opening the session …', 'dim')], width)
  const parts = [...figures(status, now), ...live.tasks.map((task) => span(task, 'magenta'))]
  const line = joined(parts)
  // A narrow terminal has no room for all: what changes what one does next stays.
  return lineWidth(line) <= width ? line : cutLine(joined(short(status, now, live.tasks)), width)
}

function figures(status: Status, now: number): Span[] {
  const { model, mode, percentLeft, hitRate, dollars } = status
  return [
    span(model, 'dim'),
    ...(mode === 'default' ? [] : [span(mode, 'magenta')]),
    contextLeft(percentLeft, '% context left'),
    span(`cache ${Math.round(hitRate * 100)}%`, 'dim'),
    span(`$${dollars.toFixed(dollars < 1 ? 4 : 2)}`, 'dim'),
    ...clock(status, now),
  ]
}

function short(status: Status, now: number, tasks: readonly string[]): Span[] {
  return [
    contextLeft(status.percentLeft, '% left'),
    span(`$${status.dollars.toFixed(2)}`, 'dim'),
    ...tasks.map((task) => span(task, 'magenta')),
    ...clock(status, now),
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
