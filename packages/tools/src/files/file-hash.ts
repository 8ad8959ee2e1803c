import { createHash } from 'node:crypto'

/** Names the content of a file. */
export function fileHash(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}
