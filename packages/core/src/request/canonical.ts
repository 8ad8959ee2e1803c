import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** A value with the keys of every object in order, so that the same content gives the same bytes. */
function canonical<T>(value: T): T {
  if (Array.isArray(value)) return value.map(canonical) as T
  if (typeof value !== 'object' || value === null) return value
  const sorted: Record<string, unknown> = {}
  for (const key of Object.keys(value).sort()) sorted[key] = canonical((value as Record<string, unknown>)[key])
  return sorted as T
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value))
}

/** 128 bits of SHA-256 in hex: enough to tell bytes apart, short enough to keep with every response. */
export function hashText(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, 16))
}

const hashes = new WeakMap<object, string>()

/** The hash of a block's content. Blocks never change, so each is hashed once. */
export function hashOf(value: object): string {
  const known = hashes.get(value)
  if (known !== undefined) return known
  const hash = hashText(canonicalJson(value))
  hashes.set(value, hash)
  return hash
}

/** The hash of everything so far, and one more thing. */
export function link(chain: string, role: string, hash: string): string {
  return hashText(`${chain}${role}${hash}`)
}
