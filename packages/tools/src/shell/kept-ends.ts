/** The beginning and the end of a text that may be of any length, in a bounded memory. */
export interface KeptEnds {
  readonly chars: number
  add(text: string): void
  /** The last line with something on it. */
  lastLine(): string
  /** The text within so many characters. `marker` words what is left out, and may have up to a quarter of them. */
  within(room: number, marker: (left: LeftOut) => string): string
}

/** What of a text is not shown. */
export interface LeftOut {
  readonly bytes: number
  readonly lines: number
  /** The first line of it, counted from 1. */
  readonly from: number
  readonly totalBytes: number
  readonly totalLines: number
}

/** The end of a failed command says more than its beginning. */
const HEAD_SHARE = 0.4

export function keptEnds(capacity: number): KeptEnds {
  let head = ''
  let tail = ''
  let chars = 0
  let bytes = 0
  let breaks = 0
  const source = () => (chars === head.length + tail.length ? head + tail : tail)
  return {
    get chars() {
      return chars
    },
    add(text) {
      chars += text.length
      bytes += Buffer.byteLength(text)
      breaks += countBreaks(text)
      const toHead = text.slice(0, capacity - head.length)
      head += toHead
      tail += text.slice(toHead.length)
      // Now and then only: each cut copies.
      if (tail.length > 4 * capacity) tail = tail.slice(-capacity)
    },
    lastLine: () => source().trimEnd().split('\n').at(-1)?.trim() ?? '',
    within(room, marker) {
      if (chars <= room) return head + tail
      const unknown = { bytes, lines: breaks, from: breaks, totalBytes: bytes, totalLines: breaks }
      const rest = room - marker(unknown).length - 2
      const first = beginning(head, Math.floor(rest * HEAD_SHARE))
      const last = ending(source(), rest - first.length)
      const left = {
        bytes: bytes - Buffer.byteLength(first) - Buffer.byteLength(last),
        lines: breaks - countBreaks(first) - countBreaks(last),
        from: countBreaks(first) + 1,
        totalBytes: bytes,
        totalLines: breaks,
      }
      return `${first}${first.endsWith('\n') ? '' : '\n'}${marker(left)}\n${last}`
    },
  }
}

/** Up to a line's end where there is one not too far away, and never in the middle of a character. */
function beginning(text: string, room: number): string {
  const cut = text.slice(0, isInsideCharacter(text, room) ? room - 1 : room)
  const line = cut.lastIndexOf('\n') + 1
  return line > cut.length / 2 ? cut.slice(0, line) : cut
}

function ending(text: string, room: number): string {
  const start = text.length - room
  const cut = text.slice(isInsideCharacter(text, start) ? start + 1 : start)
  const line = cut.indexOf('\n') + 1
  return line > 0 && line < cut.length / 2 ? cut.slice(line) : cut
}

function isInsideCharacter(text: string, index: number): boolean {
  const code = text.charCodeAt(index)
  return index > 0 && code >= 0xdc00 && code <= 0xdfff
}

function countBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
