/** Texts from this length on are hashed by their bytes: it takes a while to get them, and half as long to hash them. */
const LONG = 256
const encoder = new TextEncoder()
let bytes = new Uint8Array(64 * 1024)
let words = new Int32Array(bytes.buffer)

/**
 * 128 bits of MurmurHash3 in hex. It tells texts apart and keeps no secret: whoever finds two texts for one hash gains an
 * answer without its thinking. A cryptographic hash was most of the work of a turn.
 */
export function hashText(text: string): string {
  const { length } = text
  let [a, b, c, d] = [length, length, length, length]
  const count = length < LONG ? takeUnits(text) : takeBytes(text)
  for (let at = 0; at < count; at += 4) {
    a = (Math.imul(rotate(a ^ scrambled(at, 0x239b961b, 0xab0e9789, 15), 19) + b, 5) + 0x561ccd1b) | 0
    b = (Math.imul(rotate(b ^ scrambled(at + 1, 0xab0e9789, 0x38b34ae5, 16), 17) + c, 5) + 0x0bcaa747) | 0
    c = (Math.imul(rotate(c ^ scrambled(at + 2, 0x38b34ae5, 0xa1e38b93, 17), 15) + d, 5) + 0x96cd1c35) | 0
    d = (Math.imul(rotate(d ^ scrambled(at + 3, 0xa1e38b93, 0x239b961b, 18), 13) + a, 5) + 0x32ac3b17) | 0
  }
  a = stirred(a + b + c + d)
  b = stirred(b + a)
  c = stirred(c + a)
  d = stirred(d + a)
  a += b + c + d
  return hex(a) + hex(b + a) + hex(c + a) + hex(d + a)
}

/** Puts the code units of a text down, two in a word. Behind its end they are NaN, which is 0 here. */
function takeUnits(text: string): number {
  const count = Math.ceil(text.length / 8) * 4
  for (let at = 0; at < count; at++) words[at] = text.charCodeAt(at * 2) | (text.charCodeAt(at * 2 + 1) << 16)
  return count
}

/** Puts the bytes of a text down, four in a word, with zeros behind its end. */
function takeBytes(text: string): number {
  const most = text.length * 3 + 16
  if (most > bytes.length) {
    bytes = new Uint8Array(2 ** Math.ceil(Math.log2(most)))
    words = new Int32Array(bytes.buffer)
  }
  const { written } = encoder.encodeInto(text, bytes)
  const count = Math.ceil(written / 16) * 4
  bytes.fill(0, written, count * 4)
  return count
}

/** The hash of everything so far, and one more thing. */
export function link(chain: string, role: string, hash: string): string {
  return hashText(`${chain}/${role}/${hash}`)
}

function scrambled(at: number, first: number, second: number, bits: number): number {
  return Math.imul(rotate(Math.imul(words[at] as number, first), bits), second)
}

function rotate(lane: number, bits: number): number {
  return (lane << bits) | (lane >>> (32 - bits))
}

function stirred(lane: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, '0')
}

/** JSON with the keys of every object in order, so that the same content gives the same bytes. */
function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  let json = ''
  for (const key of Object.keys(value).sort()) {
    const inner = (value as Record<string, unknown>)[key]
    if (inner !== undefined) json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(inner)}`
  }
  return `{${json}}`
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
