const NEEDED = ['id', 'name', 'content']

/** The value a command answered with, or an error that says how it differs from what it was given. */
export function transformedValue(before: unknown, after: unknown): object {
  if (kindOf(after) !== 'object') throw new Error(`the value is ${kindOf(after)}, not an object`)
  const [old, now] = [before, after] as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]
  // An input may change its type: the tool's schema judges it.
  const kept = Object.keys(old).filter((key) => key !== 'input' && (key in now || NEEDED.includes(key)))
  const changed = kept.find((key) => kindOf(old[key]) !== kindOf(now[key]))
  if (changed !== undefined) {
    throw new Error(`the value has ${kindOf(now[changed])} as '${changed}', not ${kindOf(old[changed])}`)
  }
  if (old.id !== undefined && old.id !== now.id) throw new Error(`the value has another id than the call`)
  const blocks = Array.isArray(now.content) ? now.content : []
  if (!blocks.every((block) => typeof block?.type === 'string'))
    throw new Error('the content has a block without a type')
  return after as object
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'object' : typeof value
}
