import type { Response } from 'undici'

/** The bytes of an answer, unpacked, up to a limit: what comes after is not waited for, however much it would unpack to. */
export async function readBody(
  response: Response,
  maxBytes: number,
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    pieces.push(piece)
    size += piece.byteLength
    if (size > maxBytes) break
  }
  return { bytes: Buffer.concat(pieces).subarray(0, maxBytes), isCut: size > maxBytes }
}
