import { createHash } from 'node:crypto'

/** SHA-256 in hexadecimal, as many digits of it as are asked for. */
export function hashOf(content: string | Uint8Array, digits = 64): string {
  return createHash('sha256').update(content).digest('hex').slice(0, digits)
}
