/** A text around the places found in it, in about so many characters; cuts are marked. */
export function excerpt(text: string, places: readonly (readonly [number, number])[], size: number): string {
  const [first] = places
  if (!first || text.length <= size) return text.slice(0, whole(text, size))
  const found = Math.min(first[1] - first[0], size)
  const before = Math.floor((size - found) / 3)
  const start = whole(text, Math.max(0, Math.min(first[0] - before, text.length - size)))
  const end = whole(text, Math.min(text.length, start + size))
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

/** Never between the two halves of a character. */
export function whole(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}
