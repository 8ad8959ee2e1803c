/** Replaces every occurrence of the needles in a stream, also one that is spread over two chunks. */
export async function* replaceBytes(
  chunks: AsyncIterable<Uint8Array>,
  needles: readonly Buffer[],
  replacement: Buffer,
): AsyncGenerator<Buffer> {
  // As much as could be the beginning of a needle waits for the next chunk.
  const overlap = Math.max(...needles.map(({ length }) => length)) - 1
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    rest = Buffer.concat([rest, chunk])
    for (let hit = firstHit(rest, needles); hit !== undefined; hit = firstHit(rest, needles)) {
      yield rest.subarray(0, hit.start)
      yield replacement
      rest = rest.subarray(hit.end)
    }
    const keep = Math.min(overlap, rest.length)
    yield rest.subarray(0, rest.length - keep)
    rest = rest.subarray(rest.length - keep)
  }
  yield rest
}

function firstHit(bytes: Buffer, needles: readonly Buffer[]): { start: number; end: number } | undefined {
  const hits = needles
    .map((needle) => ({ start: bytes.indexOf(needle), length: needle.length }))
    .filter(({ start }) => start >= 0)
    // Of two that begin together the longer one leaves nothing of the secret behind.
    .sort((one, other) => one.start - other.start || other.length - one.length)
  return hits[0] && { start: hits[0].start, end: hits[0].start + hits[0].length }
}
