import type { ToolSchema } from '@nacre/core'

const ROLES = ['user', 'assistant', 'tool', 'note'] as const
export type RecallRole = (typeof ROLES)[number]

/** What is looked for: words, a pattern or an exact name; all entries of a role where none is given. */
export type Wanted =
  | { readonly by: 'query'; readonly text: string }
  | { readonly by: 'regex'; readonly text: string }
  | { readonly by: 'anchor'; readonly text: string }
  | { readonly by: 'role' }

export interface RecallSearch {
  readonly wanted: Wanted
  readonly role?: RecallRole
  readonly scope: 'hidden' | 'all'
  readonly offset: number
  readonly limit: number
  readonly characters: number
}

/** One entry, from a character on; without `characters` as many as suit its kind. */
export interface RecallRead {
  readonly id: string
  readonly offset: number
  readonly characters?: number
}

export type RecallInput = RecallSearch | RecallRead

const LIMIT = 10
const MAX_LIMIT = 50
/** The size of an answer unless told. */
export const CHARACTERS = 4_000
const MIN_CHARACTERS = 200
const MAX_CHARACTERS = 100_000
/** Longer than any name or sensible pattern. */
const MAX_TEXT = 2_000
const MAX_OFFSET = 100_000_000
/** Hits up to the end of a page are held at once. */
const MAX_SKIPPED = 5_000

/** The input of the tool, for the model and for whoever calls it. */
export const recallSchema: ToolSchema<RecallInput> = {
  json: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'Words to look for, best matches first. "Words in quotes" stay together.' },
      regex: {
        type: 'string',
        description:
          'A JavaScript regular expression, newest first; ^ and $ match at lines, a leading (?i) ignores case.',
      },
      anchor: { type: 'string', description: 'An exact name (path, symbol, hash, number, error), to the letter.' },
      id: { type: 'string', description: 'The id of an entry (or of a tool call): gives its text word for word.' },
      role: { type: 'string', enum: [...ROLES], description: 'Only entries of this kind. Alone: lists all of them.' },
      scope: {
        type: 'string',
        enum: ['hidden', 'all'],
        description:
          'hidden (default): what you can no longer see whole. all: also what you see, or what was taken back.',
      },
      offset: { type: 'integer', description: 'Hits to skip; with id, the character to begin at. 0 unless told.' },
      limit: { type: 'integer', description: `Hits at most; ${LIMIT} unless told, up to ${MAX_LIMIT}.` },
      characters: {
        type: 'integer',
        description: `Size of the answer at most; ${CHARACTERS} unless told, up to ${MAX_CHARACTERS}.`,
      },
    },
    additionalProperties: false,
  },
  parse,
}

const KEYS = ['query', 'regex', 'anchor', 'id', 'role', 'scope', 'offset', 'limit', 'characters']

function parse(input: unknown): RecallInput {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) throw new Error('The input is an object.')
  const given = input as Readonly<Record<string, unknown>>
  const unknown = Object.keys(given).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) throw new Error(`There is no '${unknown}'. Use ${KEYS.join(', ')}.`)
  const ways = ['query', 'regex', 'anchor', 'id'].filter((key) => given[key] !== undefined)
  if (ways.length > 1) throw new Error(`Give one of query, regex, anchor and id, not ${ways.join(' and ')}.`)
  if (ways.length === 0 && given.role === undefined) throw new Error('Give one of query, regex, anchor and id.')
  const size = wholeNumber(given, 'characters', MIN_CHARACTERS, MAX_CHARACTERS)
  if (given.id !== undefined) {
    const id = words(given, 'id').replace(/^\[?\s*|\s*\]?$/g, '')
    return {
      id,
      offset: wholeNumber(given, 'offset', 0, MAX_OFFSET) ?? 0,
      ...(size !== undefined && { characters: size }),
    }
  }
  const role = oneOf(given, 'role', ROLES)
  return {
    wanted: wantedOf(given),
    ...(role && { role }),
    scope: oneOf(given, 'scope', ['hidden', 'all']) ?? 'hidden',
    offset: wholeNumber(given, 'offset', 0, MAX_SKIPPED) ?? 0,
    limit: wholeNumber(given, 'limit', 1, MAX_LIMIT) ?? LIMIT,
    characters: size ?? CHARACTERS,
  }
}

function wantedOf(given: Readonly<Record<string, unknown>>): Wanted {
  for (const by of ['query', 'regex', 'anchor'] as const) {
    if (given[by] !== undefined) return { by, text: words(given, by) }
  }
  return { by: 'role' }
}

function words(given: Readonly<Record<string, unknown>>, key: string): string {
  const value = given[key]
  if (typeof value !== 'string' || value.trim() === '') throw new Error(`${key} is a text that is not empty.`)
  if (value.length > MAX_TEXT) throw new Error(`${key} has at most ${MAX_TEXT} characters, not ${value.length}.`)
  return value
}

function wholeNumber(
  given: Readonly<Record<string, unknown>>,
  key: string,
  least: number,
  most: number,
): number | undefined {
  const value = given[key]
  if (value === undefined) return undefined
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number
  throw new Error(`${key} is a whole number from ${least} to ${most}.`)
}

function oneOf<Value extends string>(
  given: Readonly<Record<string, unknown>>,
  key: string,
  values: readonly Value[],
): Value | undefined {
  const value = given[key]
  if (value === undefined || values.includes(value as Value)) return value as Value | undefined
  throw new Error(`${key} is one of ${values.join(', ')}.`)
}
