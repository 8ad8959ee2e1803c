import { estimateText, findIdentifiers } from '@nacre/core'
import { oneLine } from '../text/format.js'

/** Words with a digit in them: codes, versions, dates, addresses, long numbers. */
const CODE = /(?<![\w-])#?[A-Za-z0-9](?:[\w.:@+-]{0,60}[A-Za-z0-9])?/g
const LONGEST = 160
/** So many of the best are weighed against each other. */
const CHOICE = 40

/** How often a name occurs in a text, and the word before it where it does first. */
interface Seen {
  uses: number
  readonly after: string
}

/** The exact names of one text. */
export type Names = ReadonlyMap<string, Readonly<Seen>>

/** The names in a text: identifiers, and words that only a digit tells from others. */
export function namesIn(text: string): Names {
  const found = new Map<string, Seen>()
  const covered = new Set<string>()
  const count = (name: string, at: number) => {
    const seen = found.get(name)
    if (seen) seen.uses += 1
    else found.set(name, { uses: 1, after: wordBefore(text, at) })
  }
  let at = 0
  // They come in the order in which they stand.
  for (const name of findIdentifiers(text)) {
    at = Math.max(at, text.indexOf(name, at))
    if (name.length > LONGEST) continue
    if (!found.has(name)) for (const [part] of name.matchAll(CODE)) covered.add(part)
    count(name, at)
  }
  for (const { 0: code, index } of text.matchAll(CODE)) if (isCode(code) && !covered.has(code)) count(code, index)
  return found
}

/** On the same line; empty where there is none. */
function wordBefore(text: string, at: number): string {
  return /([A-Za-z]+)[^A-Za-z\n]{0,8}$/.exec(text.slice(Math.max(0, at - 24), at))?.[1] ?? ''
}

function isCode(word: string): boolean {
  return word.length > 3 && /\d/.test(word) && !/^\d{1,3}$/.test(word)
}

/**
 * The names that tell a text from others, within so many tokens. What occurs once, in a form and behind a word that
 * nothing else around it has, and in no other text, says more than what every line repeats.
 */
export function tellingNames(names: Names, others: readonly Names[], budget: number): string[] {
  const all = [...names].map(([name, { uses, after }]) => ({ name, uses, after, shape: nameShape(name) }))
  const kin = countBy(all, ({ shape }) => shape)
  const close = countBy(all, ({ shape, after }) => `${shape} ${after}`)
  const weighed = all.map((each) => {
    const rarity = -Math.log(each.uses) - (Math.log(kin(each)) + Math.log(close(each))) / 2
    return { name: each.name, shape: each.shape, weight: kindWeight(each.name) + rarity }
  })
  const best = weighed.sort((a, b) => b.weight - a.weight).slice(0, CHOICE)
  const ranked = best.map((each) => ({ ...each, weight: each.weight - commonness(each.name, others) }))
  return choose(ranked, budget)
}

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): (item: Item) => number {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return (item) => counts.get(keyOf(item)) ?? 1
}

/** What is in many other texts as well is filler of all of them. */
function commonness(name: string, others: readonly Names[]): number {
  return 2 * Math.log(1 + others.filter((other) => other.has(name)).length)
}

/** Letters and digits together are hardly ever words of a language. */
function kindWeight(name: string): number {
  const hasDigit = /\d/.test(name)
  const hasLetter = /[A-Za-z]/.test(name)
  if (hasDigit && hasLetter) return 2
  if (/(?:Error|Exception|Panic)\b/.test(name) || name.includes('/')) return 1.5
  return hasDigit || /[A-Z]_[A-Z]/.test(name) ? 1 : 0
}

interface Weighed {
  readonly name: string
  readonly shape: string
  readonly weight: number
}

/** The heaviest first; each form counts less once it is there. */
function choose(ranked: readonly Weighed[], budget: number): string[] {
  const chosen: string[] = []
  const seen = new Map<string, number>()
  const left = new Set(ranked)
  const worth = ({ weight, shape }: Weighed) => weight - (seen.get(shape) ?? 0)
  let room = budget
  while (left.size > 0) {
    const best = [...left].reduce((top, each) => (worth(each) > worth(top) ? each : top))
    left.delete(best)
    const name = oneLine(best.name)
    const cost = estimateText(`, ${name}`)
    if (cost > room || name === '') continue
    room -= cost
    chosen.push(name)
    seen.set(best.shape, (seen.get(best.shape) ?? 0) + 1)
  }
  return chosen
}

const MIXED = /[A-Za-z]*\d+[A-Za-z][A-Za-z0-9]*|[A-Za-z]+\d[A-Za-z0-9]*/g
const REPEATED = /([a-z]+[^a-z]{1,2})\1{2,}/g

/**
 * The form of a name without its letters and digits: names that a program made by one rule share it. How long a word is
 * does not count, nor how many parts there are once there are many.
 */
function nameShape(name: string): string {
  if (/\s/.test(name) && /[A-Za-z]{3}/.test(name)) return /\d/.test(name) ? 'said with number' : 'said'
  return name
    .replace(MIXED, (run) => `{${sizeOf(run)}}`)
    .replace(/[A-Za-z_$]+/g, (run) => (/[a-z]/.test(run) ? 'w' : 'v'))
    .replace(/\d+/g, (run) => (run.length > 4 ? 'n' : run.length > 2 ? 'm' : 'd'))
    .replace(/\{(\d)\}/g, (_, size: string) => `x${'y'.repeat(Number(size))}`)
    .replace(REPEATED, '$1$1$1')
}

function sizeOf({ length }: string): number {
  return length > 20 ? 3 : length > 10 ? 2 : length > 6 ? 1 : 0
}
