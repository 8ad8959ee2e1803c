/** The file that an agent sees whenever it starts. */
export const INDEX = 'MEMORY.md'
export const MAX_LINES = 200
export const MAX_BYTES = 25 * 1024

/** The part of an index that is shown, and how much there is in all. */
export interface CutIndex {
  readonly shown: string
  /** Lines that are shown whole. */
  readonly shownLines: number
  readonly lines: number
  readonly bytes: number
  readonly isCut: boolean
}

/** As many whole lines from the start as fit both limits. Of a first line that is too long by itself, whole characters. */
export function cutIndex(text: string): CutIndex {
  const all = linesOf(text)
  const fitting: string[] = []
  let size = -1
  for (const line of all.slice(0, MAX_LINES)) {
    size += 1 + Buffer.byteLength(line)
    if (size > MAX_BYTES) break
    fitting.push(line)
  }
  const isCut = fitting.length < all.length
  const shown = fitting.length > 0 ? fitting.join('\n') : firstBytes(all[0] ?? '', MAX_BYTES)
  return { shown, shownLines: fitting.length, lines: all.length, bytes: Buffer.byteLength(text), isCut }
}

/** The lines of a text. The break at its end begins no further one. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return []
  return text.replace(/\r?\n$/, '').split(/\r?\n/)
}

function firstBytes(text: string, bytes: number): string {
  // As of a stream that goes on: the decoder keeps back what is no whole character yet.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, bytes), { stream: true })
}

/** How the size of an index compares with what is shown of it, in words. */
export function describeCut({ shownLines, lines, bytes }: Omit<CutIndex, 'shown' | 'isCut'>): string {
  const what = shownLines === 0 ? 'only the beginning of its first line' : `only its first ${shownLines} lines`
  return `${INDEX} has ${lines} ${lines === 1 ? 'line' : 'lines'} and ${bytes} bytes; ${what} of it can be shown at the start of a task, since the limits are ${MAX_LINES} lines and ${MAX_BYTES} bytes.`
}
