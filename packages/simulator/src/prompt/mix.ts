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
