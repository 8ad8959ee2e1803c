/** Where something was found in a text, and how well it fits. */
export interface Match {
  readonly score: number
  /** First and last character of each place, in order; the last not included. */
  readonly places: readonly (readonly [start: number, end: number])[]
}

/** Looks at several texts at once; answers in their order, with nothing where nothing was found. Throws for the model. */
export type Matcher = (texts: readonly string[]) => readonly (Match | undefined)[]

/** In how many of all texts a word stands. */
export interface WordCounts {
  readonly texts: number
  readonly having: ReadonlyMap<string, number>
}

/** The words of a query in lower case; words in quotes stay together. */
export function queryWords(query: string): string[] {
  const words = [...query.toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, plain = '']) => {
    const bare = plain.replace(/^[("'`]+|[)"'`?!.,;:]+$/g, '')
    return (quoted ?? (bare === '' ? plain : bare)).trim()
  })
  return [...new Set(words.filter((word) => word !== ''))]
}

/** Counts words in texts that go by, so that rare ones can weigh more. */
export function countWords(words: readonly string[]): { add(text: string): void; counts(): WordCounts } {
  const having = new Map<string, number>()
  let texts = 0
  return {
    add(text) {
      texts += 1
      const lower = text.toLowerCase()
      for (const word of words) if (lower.includes(word)) having.set(word, (having.get(word) ?? 0) + 1)
    },
    counts: () => ({ texts, having }),
  }
}

/** What a place inside a longer word counts. */
const PART = 0.3
/** All words in their order, beside each other, count as much as that many times the words. */
const PHRASE = 3
const LONG_TEXT = 4_000

/** Ranks texts by the words that they have: rare words weigh more, texts with all words most. */
export function matchWords(query: string, { texts: total, having }: WordCounts): Matcher {
  const words = queryWords(query)
  const phrase = query.trim().toLowerCase()
  const weights = new Map(words.map((word) => [word, Math.log(1 + total / ((having.get(word) ?? 0) + 0.5))]))
  const match = (text: string): Match | undefined => {
    const lower = text.toLowerCase()
    const found = words
      .map((word) => ({ word, places: placesOf(lower, word) }))
      .filter(({ places }) => places.length > 0)
    if (found.length === 0) return undefined
    const sum = found.reduce((all, { word, places }) => {
      const uses = places.reduce((count, place) => count + (isWhole(lower, place) ? 1 : PART), 0)
      return all + (weights.get(word) ?? 0) * (uses / (uses + 0.5 + lower.length / LONG_TEXT))
    }, 0)
    const together = placesOf(lower, phrase)
    const share = found.length / words.length
    const places = together.length > 0 ? together : found.flatMap((each) => each.places).sort((a, b) => a[0] - b[0])
    return { score: sum * share * share * (together.length > 0 ? PHRASE : 1), places }
  }
  return (texts) => texts.map(match)
}

/**
 * Finds an exact name, to the letter. An index of names may have other spaces than the text, so where a text does not
 * have it as it is, any space stands for any other and for the escape of one.
 */
export function matchAnchor(anchor: string): Matcher {
  const name = anchor.trim()
  // No part holds what may stand between two parts: a text full of it would be tried in every way there is.
  const parts = name.split(/(?:\s|\\[nrt])+/).filter((part) => part !== '')
  const loose = parts.length > 0 ? new RegExp(parts.map(escaped).join('(?:\\s|\\\\[nrt])+'), 'g') : undefined
  const match = (text: string): Match | undefined => {
    const exact = placesOf(text, name)
    const whole = exact.filter((place) => isWhole(text, place))
    if (whole.length > 0) return { score: 3, places: whole }
    if (exact.length > 0) return { score: 2, places: exact }
    const near: [number, number][] = []
    for (const { 0: found, index } of loose ? text.matchAll(loose) : []) {
      near.push([index, index + found.length])
      if (near.length === MAX_PLACES) break
    }
    return near.length > 0 ? { score: 1, places: near } : undefined
  }
  return (texts) => texts.map(match)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** Milliseconds for one batch of texts: ordinary patterns need a few. */
const TIME = 250
const IGNORE_CASE = '(?i)'

/**
 * Finds a pattern. It comes from outside and may take for ever on the right text, so each batch is run under a limit
 * that ends it from within the engine; the search ends there with a reason.
 */
export async function matchRegex(source: string): Promise<Matcher> {
  const isLoose = source.startsWith(IGNORE_CASE)
  const pattern = compile(isLoose ? source.slice(IGNORE_CASE.length) : source, isLoose ? 'gim' : 'gm')
  const { createContext, Script } = await import('node:vm')
  const limited = new Script('run()')
  return (texts) => {
    let found: readonly (Match | undefined)[] = []
    const run = () => {
      found = texts.map((text) => matchOf(text, pattern))
    }
    try {
      limited.runInContext(createContext({ run }), { timeout: TIME })
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      throw new Error(
        'The regex takes too long on this log and was stopped. Leave out repetitions inside repetitions, such as (a+)+, or use query.',
      )
    }
    return found
  }
}

function compile(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch (error) {
    throw new Error(
      `The regex is not valid: ${(error as Error).message}. Mend it, or use query or anchor for plain text.`,
    )
  }
}

function matchOf(text: string, pattern: RegExp): Match | undefined {
  const places: [number, number][] = []
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found && places.length < MAX_PLACES; found = pattern.exec(text)) {
    const end = found.index + found[0].length
    if (end > found.index) places.push([found.index, end])
    else pattern.lastIndex += 1
  }
  return places.length > 0 ? { score: 1, places } : undefined
}

/** More places of one text tell nothing more. */
const MAX_PLACES = 100

/** All places of some words, as far as they count. */
function placesOf(text: string, words: string): [start: number, end: number][] {
  const places: [number, number][] = []
  if (words === '') return places
  for (
    let at = text.indexOf(words);
    at !== -1 && places.length < MAX_PLACES;
    at = text.indexOf(words, at + words.length)
  ) {
    places.push([at, at + words.length])
  }
  return places
}

/** Whether a place is a word or name of its own, not a part of a longer one. */
function isWhole(text: string, [start, end]: readonly [number, number]): boolean {
  const isCut = isWord(text[start - 1]) && isWord(text[start])
  const isLonger = isWord(text[end]) && isWord(text[end - 1])
  return !isCut && !isLonger
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}
