import { hash } from 'node:crypto'
import type { Block, Json, Tool } from '../wire/messages.js'

/** Up to here the small hash is faster than a call into the crypto library. */
const SHORT = 256

/** Tells texts apart. The same text gives the same digest on every machine and in every run. */
export function digest(text: string): string {
  return text.length <= SHORT ? mix(text) : hash('sha256', text, 'base64url')
}

const TEXT_SEED = 0x7e87

/** The digest of a block that is nothing but text, told apart from all others without copying the text. */
export function textDigest(text: string): string {
  return text.length <= SHORT ? mix(text, TEXT_SEED) : `${hash('sha256', text, 'base64url')}text`
}

/**
 * What the prompt cache compares of a block. Markers do not count, nor does the order of a block's own fields; the
 * order of keys inside a tool's input or schema does, since the model reads them as they stand.
 */
function cacheDigest(block: Block | Tool): string {
  return blockDigest(block, JSON.stringify)
}

export type DigestOf = (block: Block | Tool) => string

/** `cacheDigest`, worked out once for each block: a request looks at its blocks more than once. */
export function rememberDigests(): DigestOf {
  const known = new Map<Block | Tool, string>()
  return (block) => {
    let found = known.get(block)
    if (found === undefined) {
      found = cacheDigest(block)
      known.set(block, found)
    }
    return found
  }
}

/** What a thinking block is bound to: as above, but no order of keys counts. */
export function bindingDigest(block: Block | Tool): string {
  return blockDigest(block, canonicalJson)
}

type Stringify = (value: unknown) => string

function blockDigest(block: Block | Tool, stringify: Stringify): string {
  if (block.type === 'text' && !isFilled(block.citations)) return textDigest(block.text as string)
  return digest(contentOf(block, stringify))
}

function contentOf(block: Block | Tool, stringify: Stringify): string {
  switch (block.type) {
    case 'tool_use':
      if (isDirect(block.caller)) return `tool_use\0${block.id}\0${block.name}\0${stringify(block.input)}`
      break
    case 'tool_result':
      return `tool_result\0${block.tool_use_id}\0${block.is_error ? 1 : 0}\0${resultContent(block.content, stringify)}`
  }
  return `${block.type ?? 'custom'}\0${fieldsOf(block, stringify)}`
}

function resultContent(content: unknown, stringify: Stringify): string {
  if (typeof content === 'string') return content === '' ? '' : textDigest(content)
  return ((content ?? []) as Block[]).map((inner) => blockDigest(inner, stringify)).join()
}

/** The remaining fields by name; what is null or empty counts as absent. */
function fieldsOf(block: Block | Tool, stringify: Stringify): string {
  return Object.keys(block)
    .filter((name) => name !== 'type' && name !== 'cache_control' && isFilled(block[name]))
    .sort()
    .map((name) => `${name}:${stringify(block[name])}`)
    .join('\0')
}

function isFilled(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
}

function isDirect(caller: unknown): boolean {
  return caller == null || (caller as { type?: string }).type === 'direct'
}

/** JSON with the keys of every object in order. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const sorted: Record<string, Json> = {}
    for (const key of Object.keys(inner).sort()) sorted[key] = (inner as Record<string, Json>)[key] as Json
    return sorted
  })
}

/**
 * A 128-bit hash of a text in four lanes of multiply and rotate, four characters at a time. It keeps no secret: it only
 * has to tell texts apart, and for short ones it costs a part of a call into the crypto library. Another seed makes it
 * another hash.
 */
export function mix(text: string, seed = 0): string {
  let a = 0x9e3779b9 ^ seed
  let b = 0x243f6a88
  let c = 0xb7e15162
  let d = 0x5be0cd19
  const whole = text.length & ~3
  for (let at = 0; at < whole; at += 4) {
    const first = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
    const second = text.charCodeAt(at + 2) | (text.charCodeAt(at + 3) << 16)
    a = b ^ turn(Math.imul(a ^ first, 0x2545f491))
    b = c ^ turn(Math.imul(b ^ second, 0x9e3779b1))
    c = d ^ turn(Math.imul(c ^ first, 0x85ebca77))
    d = a ^ turn(Math.imul(d ^ second, 0xc2b2ae3d))
  }
  for (let at = whole; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = b ^ turn(Math.imul(a ^ code, 0x2545f491))
    b = c ^ turn(Math.imul(b ^ code, 0x9e3779b1))
    c = d ^ turn(Math.imul(c ^ code, 0x85ebca77))
    d = a ^ turn(Math.imul(d ^ code, 0xc2b2ae3d))
  }
  a = stir(a ^ text.length, 0x2545f491)
  b = stir(b ^ a, 0x9e3779b1)
  c = stir(c ^ b, 0x85ebca77)
  d = stir(d ^ c, 0xc2b2ae3d)
  return inCharacters(a ^ d, b, c, d)
}

/** A product has what matters in its upper bits; this brings them down, where the next product spreads them again. */
function turn(lane: number): number {
  return (lane << 13) | (lane >>> 19)
}

/** Spreads every bit of a lane over the whole of it. */
function stir(lane: number, factor: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), factor)
  const twice = Math.imul(once ^ (once >>> 13), 0x27d4eb2f)
  return twice ^ (twice >>> 16)
}

/** Six characters from `0` to `o` for each lane, made in one go: texts put together are copied again when read. */
function inCharacters(a: number, b: number, c: number, d: number): string {
  // biome-ignore format: a lane stands on one line
  return String.fromCharCode(
    sixBits(a), sixBits(a >>> 6), sixBits(a >>> 12), sixBits(a >>> 18), sixBits(a >>> 24), sixBits(a >>> 30),
    sixBits(b), sixBits(b >>> 6), sixBits(b >>> 12), sixBits(b >>> 18), sixBits(b >>> 24), sixBits(b >>> 30),
    sixBits(c), sixBits(c >>> 6), sixBits(c >>> 12), sixBits(c >>> 18), sixBits(c >>> 24), sixBits(c >>> 30),
    sixBits(d), sixBits(d >>> 6), sixBits(d >>> 12), sixBits(d >>> 18), sixBits(d >>> 24), sixBits(d >>> 30),
  )
}

function sixBits(lane: number): number {
  return 48 + (lane & 63)
}
