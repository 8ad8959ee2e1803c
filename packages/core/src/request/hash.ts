/**
 * 128 bits of MurmurHash3 over the code units of a text, in hex. It tells bytes apart and keeps no secret: whoever finds
 * two texts for one hash gains an answer without its thinking. A cryptographic hash was most of the work of a turn.
 */
export function hashText(text: string): string {
  const { length } = text
  let [a, b, c, d] = [length, length, length, length]
  // Behind the end a code unit is NaN, which is 0 here; the length is in all lanes.
  for (let at = 0; at < length; at += 8) {
    a = (Math.imul(rotate(a ^ scrambled(pair(text, at), 0x239b961b, 0xab0e9789, 15), 19) + b, 5) + 0x561ccd1b) | 0
    b = (Math.imul(rotate(b ^ scrambled(pair(text, at + 2), 0xab0e9789, 0x38b34ae5, 16), 17) + c, 5) + 0x0bcaa747) | 0
    c = (Math.imul(rotate(c ^ scrambled(pair(text, at + 4), 0x38b34ae5, 0xa1e38b93, 17), 15) + d, 5) + 0x96cd1c35) | 0
    d = (Math.imul(rotate(d ^ scrambled(pair(text, at + 6), 0xa1e38b93, 0x239b961b, 18), 13) + a, 5) + 0x32ac3b17) | 0
  }
  a = stirred(a + b + c + d)
  b = stirred(b + a)
  c = stirred(c + a)
  d = stirred(d + a)
  a += b + c + d
  return hex(a) + hex(b + a) + hex(c + a) + hex(d + a)
}

/** The hash of everything so far, and one more thing. */
export function link(chain: string, role: string, hash: string): string {
  return hashText(`${chain}/${role}/${hash}`)
}

function pair(text: string, at: number): number {
  return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
}

function scrambled(lane: number, first: number, second: number, bits: number): number {
  return Math.imul(rotate(Math.imul(lane, first), bits), second)
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
