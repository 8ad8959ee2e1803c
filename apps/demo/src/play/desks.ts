import type { ModelTurn, Scenario } from '@nacre/simulator'

const PEOPLE = ['Ada', 'Bela', 'Cleo', 'Dora', 'Emil', 'Fynn', 'Gesa', 'Hugo', 'Ines', 'Jari', 'Kaya', 'Levi']
const GOODS = ['an oak lamp', 'two copper mugs', 'a wool rug', 'a glass vase', 'three linen towels', 'a slate clock']
const MOODS = ['I have written twice', 'The hotline hung up', 'I like your shop, but', 'My neighbour had the same']

/** A thread of mails as a person pastes it: long, repetitive, with an order number here and there that matters. */
export function supportMails(first: number, count: number): string {
  return Array.from({ length: count }, (_, index) => mail(first + index)).join('\n\n')
}

function mail(number: number): string {
  const name = pick(PEOPLE, number)
  return `From: ${name.toLowerCase()}${number}@mail.example
Subject: ticket T-${7_300 + number * 11}, order SO-${49_268 + number * 49}
${pick(MOODS, number)}: I bought ${pick(GOODS, number)} and typed AUTUMN into the field for coupons. The page said that it was taken, the mail with the order said so too, and on my card there is the whole price. It was about ${number % 2 ? 'ten at night' : 'noon'} on the ${24 + (number % 7)}th. I would like the difference of ${((number * 137) % 2_900) + 310} cents back, and to know that it does not happen again. Yours, ${name}`
}

function pick(from: readonly string[], index: number): string {
  return from[index % from.length] ?? ''
}

const THOUGHTS = [
  'Each ticket names an order, and each order has a moment, a region and what was promised.',
  'If the coupon were read wrongly, the goods would be wrong as well, and they are not.',
  'A rounding error would be a cent or two; here it is always a fifth of the goods.',
  'The region plays no part so far: the same happens from Porto to Bergen.',
  'What the customer saw on the page was worked out elsewhere, so it proves nothing.',
  'I keep a list of what I have ruled out, so that nobody has to ask again.',
  'The moment matters more than the day: some were placed at noon and some at night.',
  'None of this needs a change yet; I only compare.',
  'Should one of them have no coupon at all, the whole idea would be wrong.',
]

const SENTENCES = 9

/** What the model says before a call: the words of an agent that thinks aloud, never the same twice. */
export function musing(topic: string, step: number): string {
  const sentences = Array.from({ length: SENTENCES }, (_, index) => THOUGHTS[(step * 4 + index) % THOUGHTS.length])
  return `${topic}, check ${step + 1}. ${sentences.join(' ')}`
}

/** A call as the offline model makes it. */
export function call(name: string, input: object) {
  return { type: 'tool_use' as const, name, input }
}

/** What the model has before its eyes. */
export function seen({ turn }: { readonly turn: ModelTurn }, words: RegExp): string | undefined {
  return words.exec(JSON.stringify(turn.messages))?.[0]
}

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
