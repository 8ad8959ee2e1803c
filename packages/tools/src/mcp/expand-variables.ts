import { NacreError } from '@nacre/core'

export type Environment = Readonly<Record<string, string | undefined>>

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/** Puts the environment in for `${NAME}` and `${NAME:-default}` in every text of a value. Throws where a name is unknown. */
export function expandVariables<T>(value: T, environment: Environment, where: string): T {
  if (typeof value === 'string') return expandText(value, environment, where) as T
  if (Array.isArray(value)) return value.map((each) => expandVariables(each, environment, where)) as T
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) => [key, expandVariables(each, environment, where)])
  return Object.fromEntries(entries) as T
}

function expandText(text: string, environment: Environment, where: string): string {
  return text.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const found = fallback === undefined ? environment[name] : environment[name] || fallback
    if (found !== undefined) return found
    const message = `${where}: the variable ${name} is not set. Set it, or write \${${name}:-default}.`
    throw new NacreError('INVALID_SETTINGS', message)
  })
}
