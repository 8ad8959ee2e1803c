import type { z } from 'zod'
import { nearestWord } from './nearest-word.js'
import { type JsonSchema, settingsJsonSchema } from './settings-json-schema.js'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/** What is wrong with a setting, where it stands, what was expected, and what was probably meant. */
export function describeIssue(issue: Issue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(key, issue.path)).join('\n')
  const inner = innermost(issue)
  const where = nameOf(inner.path)
  const given = at(value, inner.path)
  if (inner.code === 'unrecognized_keys') return inner.keys.map((key) => unknownKey(key, inner.path)).join('\n')
  const isMissing = given === undefined
  return `${where || 'The file'} ${isMissing ? 'is missing' : `is ${shown(given)}`}; it has to be ${inner.message}.${hint(given, inner)}`
}

/** A union fails in each of its members: the one that got furthest tells what was meant. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue
  const found = issue.errors.flat().filter(({ path }) => path.length > 0)
  const keys = issue.errors.flat().find(({ code }) => code === 'unrecognized_keys')
  const deeper = keys ?? found[0]
  return deeper ? ({ ...deeper, path: [...issue.path, ...deeper.path] } as Issue) : issue
}

function unknownKey(key: string, path: Path): string {
  const known = keysAt(settingsJsonSchema(), path)
  const near = nearestWord(key, known)
  const place = path.length === 0 ? '' : ` in ${nameOf(path)}`
  return `There is no setting '${key}'${place}.${near ? ` Did you mean '${near}'?` : ''} Known: ${known.join(', ')}.`
}

/** What a person who wrote an almost right word has meant. */
function hint(given: unknown, issue: Issue): string {
  if (typeof given !== 'string' || issue.code !== 'invalid_value') return ''
  const near = nearestWord(given, issue.values.map(String))
  return near ? ` Did you mean "${near}"?` : ''
}

function keysAt(schema: JsonSchema | undefined, path: Path): readonly string[] {
  const [first, ...rest] = path
  if (!schema) return []
  const member = schema.anyOf?.find(({ properties, items }) => properties ?? items)
  if (member) return keysAt(member, path)
  if (first === undefined) return Object.keys(schema.properties ?? {}).filter((key) => key !== '$schema')
  return keysAt(typeof first === 'number' ? schema.items : schema.properties?.[String(first)], rest)
}

function nameOf(path: Path): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((found, key) => (found as Record<PropertyKey, unknown> | undefined)?.[key], value)
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
