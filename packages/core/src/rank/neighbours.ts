/** What stands beside each text: its neighbours in its group, and how many words there are around it. */
export interface Neighbours {
  /** By the number of a text: the text before it and the one behind it, or -1. */
  readonly before: readonly number[]
  readonly behind: readonly number[]
  /** By the number of a text: its words with those of the two texts before and behind it. */
  readonly around: readonly number[]
  /** The group of a text; nothing where it stands alone, in no group or as the only one of it. */
  groupOf(text: number): Group | undefined
  /** The words of all texts of a group, by its number. */
  wordsOf(group: number): number
  /** The days on which texts of its group were written, counted from 1970. */
  daysOf(text: number): readonly number[]
  /** Over all groups of more than one text. */
  readonly totals: Readonly<Sums> & { readonly groups: number }
  /** Puts a text at the end of its group. */
  add(text: number, placed: Placed): void
  /** Gives a text other words, in the same place. */
  change(text: number, placed: Omit<Placed, 'group'>): void
  remove(text: number): void
}

interface Placed {
  readonly group: string | undefined
  readonly words: number
  readonly day: number | undefined
}

interface Sums {
  texts: number
  words: number
  /** The words of the windows of all texts. */
  around: number
}

/** Texts that stand together. */
interface Group extends Sums {
  /** As small as can be, to count by. */
  readonly number: number
  readonly name: string
  last: number
  /** How many texts are of a day. */
  readonly days: Map<number, number>
}

/** A window reaches that far to both sides. */
const REACH = 2

export function createNeighbours(): Neighbours {
  const chain = createChain()
  const [words, around]: [number[], number[]] = [[], []]
  const days: (number | undefined)[] = []
  const groupAt: (Group | undefined)[] = []
  const groups = createGroups()

  const measure = (group: Group, texts: readonly number[]) => {
    for (const text of texts) {
      const sum = chain.reached(text).reduce((all, each) => all + (words[each] ?? 0), 0)
      group.around += sum - (around[text] ?? 0)
      around[text] = sum
    }
  }
  /** The words and the day of a text; none of both is what a text has that is not there. */
  const fill = (group: Group | undefined, text: number, { words: count, day }: Omit<Placed, 'group'>) => {
    if (group) {
      group.words += count - (words[text] ?? 0)
      countDay(group.days, days[text], -1)
      countDay(group.days, day, 1)
    }
    words[text] = count
    days[text] = day
  }
  const change: Neighbours['change'] = (text, placed) => {
    const group = groupAt[text]
    if (!group) return fill(group, text, placed)
    groups.update(group, () => {
      fill(group, text, placed)
      measure(group, chain.reached(text))
    })
  }
  return {
    before: chain.before,
    behind: chain.behind,
    around,
    totals: groups.totals,
    wordsOf: (group) => groups.numbered[group]?.words ?? 0,
    groupOf: (text) => (isShared(groupAt[text]) ? groupAt[text] : undefined),
    daysOf(text) {
      const day = days[text]
      return [...(groupAt[text]?.days.keys() ?? (day === undefined ? [] : [day]))]
    },
    add(text, placed) {
      const group = placed.group === undefined ? undefined : groups.named(placed.group)
      groupAt[text] = group
      words[text] = around[text] = 0
      days[text] = undefined
      chain.link(text, group?.last ?? -1)
      if (group) groups.update(group, () => Object.assign(group, { last: text, texts: group.texts + 1 }))
      change(text, placed)
    },
    change,
    remove(text) {
      const group = groupAt[text]
      groupAt[text] = undefined
      if (!group) return
      groups.update(group, () => {
        const beside = chain.reached(text).slice(1)
        if (group.last === text) group.last = chain.before[text] ?? -1
        chain.unlink(text)
        group.texts -= 1
        fill(group, text, { words: 0, day: undefined })
        group.around -= around[text] ?? 0
        measure(group, beside)
      })
    },
  }
}

/** Texts one behind the other. */
function createChain() {
  const [before, behind]: [number[], number[]] = [[], []]
  const walk = (links: readonly number[], text: number): number[] => {
    const found: number[] = []
    for (let at = links[text] ?? -1; at >= 0 && found.length < REACH; at = links[at] ?? -1) found.push(at)
    return found
  }
  return {
    before,
    behind,
    /** A text, and those within reach of it. */
    reached: (text: number) => [text, ...walk(before, text), ...walk(behind, text)],
    link(text: number, last: number) {
      before[text] = last
      behind[text] = -1
      if (last >= 0) behind[last] = text
    },
    unlink(text: number) {
      const [previous = -1, next = -1] = [before[text], behind[text]]
      if (previous >= 0) behind[previous] = next
      if (next >= 0) before[next] = previous
    },
  }
}

function countDay(days: Map<number, number>, day: number | undefined, by: 1 | -1): void {
  if (day === undefined) return
  const count = (days.get(day) ?? 0) + by
  if (count > 0) days.set(day, count)
  else days.delete(day)
}

function isShared(group: Group | undefined): boolean {
  return group !== undefined && group.texts > 1
}

/** The groups by their names, with the sums over those that have neighbours in them. */
function createGroups() {
  const named = new Map<string, Group>()
  const numbered: (Group | undefined)[] = []
  const free: number[] = []
  const totals = { groups: 0, texts: 0, words: 0, around: 0 }
  const count = (group: Group, sign: 1 | -1) => {
    if (!isShared(group)) return
    totals.groups += sign
    for (const sum of ['texts', 'words', 'around'] as const) totals[sum] += sign * group[sum]
  }
  return {
    totals,
    numbered,
    named(name: string): Group {
      const known = named.get(name)
      if (known) return known
      const group = {
        number: free.pop() ?? numbered.length,
        name,
        texts: 0,
        words: 0,
        around: 0,
        last: -1,
        days: new Map(),
      }
      named.set(name, group)
      numbered[group.number] = group
      return group
    },
    /** Changes a group, and the sums with it; one without texts is gone. */
    update(group: Group, change: () => void) {
      count(group, -1)
      change()
      count(group, 1)
      if (group.texts > 0) return
      named.delete(group.name)
      numbered[group.number] = undefined
      free.push(group.number)
    },
  }
}
