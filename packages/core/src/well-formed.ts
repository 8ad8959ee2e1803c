/**
 * The same JSON with nothing in it that can not be written as UTF-8: the API refuses every request with half of a
 * surrogate pair in it. What holds none is given back as it is, the very same object.
 */
export function wellFormed<T>(value: T): T {
  if (typeof value === 'string') return mendedText(value) as T
  if (typeof value !== 'object' || value === null) return value
  return (Array.isArray(value) ? mendedList(value) : mendedFields(value)) as T
}

const HALF = /\p{Surrogate}/u
const HALVES = /\p{Surrogate}/gu

function mendedText(text: string): string {
  return HALF.test(text) ? text.replace(HALVES, '\ufffd') : text
}

function mendedList(items: readonly unknown[]): readonly unknown[] {
  const mended = items.map(wellFormed)
  return mended.some((item, index) => item !== items[index]) ? mended : items
}

function mendedFields(value: object): object {
  let isWhole = true
  const fields: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(value)) {
    const own = mendedText(name)
    const mended = wellFormed(field)
    isWhole &&= own === name && mended === field
    // Defined, since an assignment to `__proto__` sets something else.
    Object.defineProperty(fields, own, { value: mended, enumerable: true, writable: true, configurable: true })
  }
  return isWhole ? value : fields
}
