import { isRecord } from '../wire/messages.js'

/** What is wrong with a value, with the way to it from the inside out. */
interface Problem {
  readonly path: (string | number)[]
  readonly message: string
}

/**
 * Looks at a value and says the first thing that is wrong with it. The wording is that of the validator the API
 * shows through its errors; a schema library would word it otherwise and is several times slower on large bodies.
 */
export type Shape = (value: unknown) => Problem | undefined

export type Fields = Readonly<Record<string, Shape>>

const problem = (message: string): Problem => ({ path: [], message })

function at(segment: string | number, inner: Problem | undefined): Problem | undefined {
  inner?.path.unshift(segment)
  return inner
}

export const anything: Shape = () => undefined

export const text: Shape = (value) =>
  typeof value === 'string' ? undefined : problem('Input should be a valid string')

export const flag: Shape = (value) =>
  typeof value === 'boolean' ? undefined : problem('Input should be a valid boolean')

/** Counted in code points, as the API does. */
export function textUpTo(limit: number): Shape {
  return (value) => {
    if (typeof value !== 'string') return text(value)
    return value.length > limit && [...value].length > limit
      ? problem(`String should have at most ${limit} characters`)
      : undefined
  }
}

export function matching(pattern: RegExp): Shape {
  return (value) => {
    if (typeof value !== 'string') return text(value)
    return pattern.test(value) ? undefined : problem(`String should match pattern '${pattern.source}'`)
  }
}

export function integer(minimum: number): Shape {
  return (value) => {
    if (typeof value !== 'number') return problem('Input should be a valid integer')
    if (!Number.isInteger(value)) return problem('Input should be a valid integer, got a number with a fractional part')
    return value < minimum ? problem(`Input should be greater than or equal to ${minimum}`) : undefined
  }
}

export function between(minimum: number, maximum: number): Shape {
  return (value) => {
    if (typeof value !== 'number') return problem('Input should be a valid number')
    if (value < minimum) return problem(`Input should be greater than or equal to ${minimum}`)
    return value > maximum ? problem(`Input should be less than or equal to ${maximum}`) : undefined
  }
}

export function oneOf(...choices: readonly string[]): Shape {
  const quoted = choices.map((choice) => `'${choice}'`)
  const last = quoted.pop()
  const message = `Input should be ${quoted.length ? `${quoted.join(', ')} or ${last}` : last}`
  return (value) => (choices.includes(value as string) ? undefined : problem(message))
}

export function nullable(shape: Shape): Shape {
  return (value) => (value === null ? undefined : shape(value))
}

export const record: Shape = (value) => (isRecord(value) ? undefined : problem('Input should be a valid dictionary'))

export function list(item: Shape, limit = Number.POSITIVE_INFINITY): Shape {
  return (value) => {
    if (!Array.isArray(value)) return problem('Input should be a valid list')
    if (value.length > limit)
      return problem(`List should have at most ${limit} items after validation, not ${value.length}`)
    for (let index = 0; index < value.length; index++) {
      const found = item(value[index])
      if (found) return at(index, found)
    }
    return undefined
  }
}

export function textOr(shape: Shape): Shape {
  return (value) => (typeof value === 'string' ? undefined : shape(value))
}

/** Fields marked with a star are required: `{ '*name': text }`. Others than those named are refused. */
export function object(fields: Fields): Shape {
  const shapes = new Map(Object.entries(fields).map(([name, shape]) => [name.replace(/^\*/, ''), shape]))
  const required = Object.keys(fields)
    .filter((name) => name.startsWith('*'))
    .map((name) => name.slice(1))
  return (value) => {
    if (!isRecord(value)) return problem('Input should be a valid dictionary or object to extract fields from')
    for (const name of required) {
      if (value[name] === undefined) return at(name, problem('Field required'))
    }
    for (const name in value) {
      const shape = shapes.get(name)
      const found = shape ? shape(value[name]) : problem('Extra inputs are not permitted')
      if (found) return at(name, found)
    }
    return undefined
  }
}

/** Chooses by the field `type`, and names the chosen one in the path, as the API's errors do. */
export function tagged(shapes: Readonly<Record<string, Shape>>, byDefault?: string): Shape {
  const known = new Map(Object.entries(shapes))
  const expected = [...known.keys()].map((tag) => `'${tag}'`).join(', ')
  return (value) => {
    if (!isRecord(value)) return problem('Input should be a valid dictionary or object to extract fields from')
    const tag = value.type ?? byDefault
    if (tag === undefined) return problem("Unable to extract tag using discriminator 'type'")
    const shape = known.get(tag as string)
    if (!shape)
      return problem(
        `Input tag '${String(tag)}' found using 'type' does not match any of the expected tags: ${expected}`,
      )
    return at(String(tag), shape(value))
  }
}

/** The first thing that is wrong, in the API's form `path.to.field: message`. */
export function firstProblem(shape: Shape, value: unknown): string | undefined {
  const found = shape(value)
  if (!found) return undefined
  return found.path.length ? `${found.path.join('.')}: ${found.message}` : found.message
}
