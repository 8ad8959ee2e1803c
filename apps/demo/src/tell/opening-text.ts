import { count } from './figures.js'
import type { Paint } from './paint.js'
import { wrap } from './wrap.js'

/** What the story is about and how to read it, before it begins. */
export function openingText(window: number, paint: Paint, width: number): string {
  const about = [
    `Nacre keeps a long conversation within what a model can take in at once, its window. Here that is ${count(window)} tokens, and the work needs more than twice as much.`,
    'An agent looks for a bug in a small shop, which takes coupons and does not take them off the price. Tools, files and tests are real. The model is offline and follows a script; a server on this machine counts and bills as the Messages API does. It needs no key, and nothing leaves this machine.',
  ]
  const signs = [
    '❯ what a person types',
    '· tools that the agent calls',
    '◆ a layer of Nacre at work: what it does, then why',
  ]
  return [
    '',
    paint.bold('Nacre, in one story'),
    ...about.map((text) => wrap(text, width)),
    '',
    ...signs.map((line) => paint.dim(wrap(line, width - 2, '  '))),
    '',
  ].join('\n')
}
