import type { Block } from '@nacre/core'
import { imageSize } from 'image-size'

/** The kinds that models can look at, by what the file itself says it is. */
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
}
const MOST_BYTES = 3_900_000
const MOST_PIXELS = 8_000

/** An image to look at; `undefined` when the bytes are none. Throws for one that is too large. */
export function showImage(path: string, bytes: Buffer): readonly Block[] | undefined {
  const found = sizeOf(bytes)
  const type = TYPES[found?.type ?? '']
  if (!found || !type) return undefined
  const { width, height } = found
  if (bytes.length > MOST_BYTES || Math.max(width, height) > MOST_PIXELS) {
    throw new Error(
      `${path} is an image of ${width} by ${height} pixels and ${bytes.length} bytes; at most ${MOST_PIXELS} pixels a ` +
        `side and ${MOST_BYTES} bytes can be looked at. Make a smaller copy and read that.`,
    )
  }
  return [{ type: 'image', source: { type: 'base64', media_type: type, data: bytes.toString('base64') } }]
}

function sizeOf(
  bytes: Buffer,
): { readonly width: number; readonly height: number; readonly type?: string } | undefined {
  try {
    return imageSize(bytes)
  } catch {
    return undefined
  }
}
