/** Words of others as a part of one line: nothing in them ends the line, or the frame that it stands in. */
export function oneLine(text: string, characters = Number.POSITIVE_INFINITY): string {
  const line = text.replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>]+/gu, ' ').trim()
  return line.length > characters ? `${whole(line.slice(0, characters - 1)).trimEnd()}…` : line
}

/** Without the first half of a character that was cut in two. */
export function whole(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
}
