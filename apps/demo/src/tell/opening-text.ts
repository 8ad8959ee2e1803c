import type { Paint } from './paint.js'
import { wrap } from './wrap.js'

/** What the story is about, before it begins. */
export function openingText(paint: Paint, width: number): string {
  const about =
    'A shop takes coupons and does not take them off. An agent finds out why and fixes it, with real tools, real files and real tests, on a window so small that it is full within a minute. The model is offline and follows a script; the server counts and bills as the Messages API does. No key, no network.'
  return `\n${paint.bold('Nacre, in one story')}\n${paint.dim(wrap(about, width))}\n`
}
