/**
 * A 128-bit hash of a text in four lanes of multiply and rotate. It keeps no secret: it only has to tell texts apart,
 * and for short ones it costs a tenth of a call into the crypto library.
 */
export function mix(text: string): string {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = 0xb7e15162
  let d = 0x5be0cd19
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = b ^ Math.imul(a ^ code, 0x2545f491)
    b = c ^ Math.imul(b ^ code, 0x9e3779b1)
    c = d ^ Math.imul(c ^ code, 0x85ebca77)
    d = a ^ Math.imul(d ^ code, 0xc2b2ae3d)
  }
  a = stir(a ^ text.length, 0x2545f491)
  b = stir(b ^ a, 0x9e3779b1)
  c = stir(c ^ b, 0x85ebca77)
  d = stir(d ^ c, 0xc2b2ae3d)
  return `${lane(a ^ d)}${lane(b)}${lane(c)}${lane(d)}`
}

/** A lane as six characters from `0` to `o`. */
function lane(value: number): string {
  return String.fromCharCode(
    48 + (value & 63),
    48 + ((value >>> 6) & 63),
    48 + ((value >>> 12) & 63),
    48 + ((value >>> 18) & 63),
    48 + ((value >>> 24) & 63),
    48 + (value >>> 30),
  )
}

/** Spreads every bit of a lane over the whole of it. */
function stir(lane: number, factor: number): number {
  const once = Math.imul(lane ^ (lane >>> 16), factor)
  const twice = Math.imul(once ^ (once >>> 13), 0x27d4eb2f)
  return twice ^ (twice >>> 16)
}
