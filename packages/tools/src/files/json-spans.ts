/** Where a value stands in a JSON text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A member of an object: from the quote of its key to the end of its value. */
export interface Member extends Span {
  readonly key: string
  readonly value: number
}

const SPACE = /[\t\n\r ]*/y

/** The place behind white space. */
export function afterSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  SPACE.test(text)
  return SPACE.lastIndex
}

/** The members of the object that begins at a place. The text has been parsed before, so that it is JSON. */
export function membersAt(text: string, object: number): readonly Member[] {
  const members: Member[] = []
  let at = afterSpace(text, object + 1)
  while (text[at] === '"') {
    const start = at
    const key = endOfValue(text, start)
    const value = afterSpace(text, afterSpace(text, key) + 1)
    const end = endOfValue(text, value)
    members.push({ key: JSON.parse(text.slice(start, key)) as string, start, value, end })
    at = afterSpace(text, afterSpace(text, end) + 1)
  }
  return members
}

/** The elements of the list that begins at a place. */
export function elementsAt(text: string, list: number): readonly Span[] {
  const elements: Span[] = []
  let start = afterSpace(text, list + 1)
  while (text[start] !== ']') {
    const end = endOfValue(text, start)
    elements.push({ start, end })
    const next = afterSpace(text, end)
    if (text[next] === ']') break
    start = afterSpace(text, next + 1)
  }
  return elements
}

const STRING = /"(?:[^"\\]|\\.)*"/y
const PLAIN = /[^\s,:\]}]+/y
const MARK = /["[\]{}]/g

/** The place behind the value that begins at a place. */
function endOfValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return endBy(STRING, text, start)
  if (first !== '{' && first !== '[') return endBy(PLAIN, text, start)
  let depth = 0
  let at = start
  do {
    MARK.lastIndex = at
    const mark = MARK.exec(text)
    if (!mark) return text.length
    if (mark[0] === '"') at = endBy(STRING, text, mark.index)
    else {
      depth += mark[0] === '{' || mark[0] === '[' ? 1 : -1
      at = mark.index + 1
    }
  } while (depth > 0)
  return at
}

function endBy(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : text.length
}
