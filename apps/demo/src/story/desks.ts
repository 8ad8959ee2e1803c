import type { Scenario } from '@nacre/simulator'
import { call } from './call.js'
import { musing } from './musing.js'
import { supportMails } from './support-mails.js'

const MAILS = 6

/** One desk of support: what it sends, and what the agent checks against it. */
interface Desk {
  readonly name: string
  readonly commands: readonly string[]
  readonly answer: string
}

/** Lines of the orders file, which has one order on each. */
const page = (number: number) => `sed -n '${number * 12 + 2},${number * 12 + 13}p' data/orders.json`

const DESKS: readonly Desk[] = [
  {
    name: 'Lisbon',
    commands: [
      'node bin/replay.mjs AUTUMN',
      page(0),
      page(1),
      'cat bin/replay.mjs',
      page(2),
      page(3),
      'wc -l src/*.mjs',
    ],
    answer: 'The same: every one of them has AUTUMN, and none was placed before the 24th.',
  },
  {
    name: 'Turin',
    commands: [
      page(4),
      page(5),
      'node bin/replay.mjs SCHOOL',
      'cat src/cart.mjs',
      page(6),
      page(7),
      'cat src/coupons.mjs',
    ],
    answer: 'The same again. A coupon that is over, as SCHOOL is, takes nothing off, and should not.',
  },
  {
    name: 'Ghent',
    commands: [
      page(8),
      'cat src/tax.mjs',
      page(9),
      page(10),
      'grep -n rate src/tax.mjs',
      page(11),
      'wc -c src/tax.mjs',
    ],
    answer: 'The same. Tax is worked out on what is left after the coupon, as it has to be.',
  },
  {
    name: 'Bergen',
    commands: [
      page(12),
      page(13),
      'cat src/shipping.mjs',
      page(14),
      'grep -c AUTUMN data/orders.json',
      page(15),
      page(16),
    ],
    answer: 'The same. Parcels are counted rightly, also to Norway.',
  },
  {
    name: 'Graz',
    commands: [page(17), page(18), 'cat src/currency.mjs', page(19), 'cat test/totals.test.mjs', page(20), page(21)],
    answer: 'The same. That was the last desk: there is one cause, and no other.',
  },
]

/** What the person says for each desk. */
export const deskPrompts: readonly string[] = DESKS.map(
  ({ name }, index) =>
    `The desk in ${name} has written too. Is it the same cause?\n\n${supportMails(10 + index * MAILS, MAILS)}`,
)

export const deskScenarios: readonly Scenario[] = DESKS.map(({ name, commands, answer }) => ({
  name,
  prompt: new RegExp(`The desk in ${name} has written`),
  steps: [...commands.map((command, index) => [musing(name, index), call('Bash', { command })]), answer],
}))
