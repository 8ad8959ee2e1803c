/** Characters of a result that one call gives: enough for nearly all of them, and no danger to a context. */
const MOST = 30_000

/** A part of a result, with how to read on where there is more. Never cut without a word. */
export function cutResult(name: string, text: string, offset: number): string {
  if (offset >= text.length && offset > 0)
    return `The result of ${name} has ${text.length} characters; there is nothing at ${offset}.`
  // Half of a surrogate pair can be sent nowhere.
  const part = text.slice(offset, offset + MOST).replace(/[\uD800-\uDBFF]$/, '')
  const end = offset + part.length
  if (end >= text.length) return part
  const next = `Agents {"action":"read","name":${JSON.stringify(name)},"offset":${end}}`
  return `${part}\n\n[Characters ${offset} to ${end} of ${text.length}. Read on with ${next}.]`
}
