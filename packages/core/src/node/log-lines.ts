import type { ReadAt } from './read-at.js'

const BLOCK = 64 * 1024
/** Who goes on reading forwards reads all there is, so larger and larger pieces pay. */
const LARGEST = 1024 * 1024
const NEWLINE = 10

export interface Line {
  readonly start: number
  /** Without its newline. */
  readonly bytes: Buffer
  /** A line that has no newline was never written to its end. */
  readonly isWhole: boolean
}

/** The lines before `end`, the last one first; no byte before `floor` is read, and no line given that begins there. */
export async function* linesBackwards(read: ReadAt, end: number, floor = 0): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let isWhole = false
  let position = end
  while (position > floor) {
    const length = Math.min(BLOCK, position - floor)
    position -= length
    const block = await read(position, length)
    let cut = length
    while (cut > 0) {
      const newline = block.lastIndexOf(NEWLINE, cut - 1)
      if (newline < 0) break
      const bytes = joined([block.subarray(newline + 1, cut), ...pieces.toReversed()])
      pieces = []
      if (isWhole || bytes.length > 0) yield { start: position + newline + 1, bytes, isWhole }
      isWhole = true
      cut = newline
    }
    pieces.push(block.subarray(0, cut))
  }
  if (floor > 0) return
  const bytes = joined(pieces.toReversed())
  if (isWhole || bytes.length > 0) yield { start: 0, bytes, isWhole }
}

/** The lines from `start` to `end`, in order. While one piece is worked on the next is read. */
export async function* linesForwards(read: ReadAt, start: number, end: number): AsyncGenerator<Line> {
  let pieces: Buffer[] = []
  let lineStart = start
  let size = BLOCK
  let ahead = read(start, Math.min(size, end - start))
  try {
    for (let position = start; position < end; ) {
      const [block, blockStart] = [await ahead, position]
      position += size
      size = Math.min(LARGEST, 2 * size)
      if (position < end) ahead = read(position, Math.min(size, end - position))
      let cut = 0
      for (let newline = block.indexOf(NEWLINE); newline >= 0; newline = block.indexOf(NEWLINE, cut)) {
        yield { start: lineStart, bytes: joined([...pieces, block.subarray(cut, newline)]), isWhole: true }
        pieces = []
        cut = newline + 1
        lineStart = blockStart + cut
      }
      pieces.push(block.subarray(cut))
    }
  } finally {
    // Who leaves early closes the file: what is still being read from it has to end before.
    await ahead.catch(() => undefined)
  }
  const bytes = joined(pieces)
  if (bytes.length > 0) yield { start: lineStart, bytes, isWhole: false }
}

function joined(pieces: readonly Buffer[]): Buffer {
  return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
}
