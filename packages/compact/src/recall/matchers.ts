import type { Id } from '@nacre/core'

/** Where something was found in a text, and how well it fits. */
export interface Match {
  readonly score: number
  /** First and last character of each place, the last not included; the one to show comes first. */
  readonly places: readonly Place[]
}

export type Place = readonly [start: number, end: number]

/** A text of the log, under the id of its entry. */
interface LogText {
  readonly id: Id
  readonly text: string
}

/** Looks at several texts at once; answers in their order, with nothing where nothing was found. Throws for the model. */
export type Matcher = (texts: readonly LogText[]) => readonly (Match | undefined)[]

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
  return (texts) => texts.map(({ text }) => match(text))
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
export function matchRegex(source: string): Matcher {
  const isLoose = source.startsWith(IGNORE_CASE)
  const pattern = compile(isLoose ? source.slice(IGNORE_CASE.length) : source, isLoose ? 'gim' : 'gm')
  const { createContext, Script } = vm()
  const limited = new Script('run()')
  return (texts) => {
    let found: readonly (Match | undefined)[] = []
    const run = () => {
      found = texts.map(({ text }) => matchOf(text, pattern))
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

interface Vm {
  createContext(values: object): object
  readonly Script: new (
    code: string,
  ) => { runInContext(context: object, options: { readonly timeout: number }): unknown }
}

/** Only Node can end a pattern; it is asked for its part where it runs, so that a bundle for another place needs none. */
function vm(): Vm {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } }
  const found = process?.getBuiltinModule?.('node:vm') as Vm | undefined
  if (found) return found
  throw new Error('A regex can not be stopped where this runs, so none is tried. Use query or anchor.')
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
export const MAX_PLACES = 100

/** All places of some words, as far as they count. */
export function placesOf(text: string, words: string): [start: number, end: number][] {
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
export function isWhole(text: string, [start, end]: readonly [number, number]): boolean {
  const isCut = isWord(text[start - 1]) && isWord(text[start])
  const isLonger = isWord(text[end]) && isWord(text[end - 1])
  return !isCut && !isLonger
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character)
}
