/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** A whole number from 0 up to, and without, that one. */
  below(limit: number): number
  between(least: number, most: number): number
  pick<T>(from: readonly T[]): T
  /** A word that is no word of any language, so that nothing finds it by luck. */
  word(): string
  /** Hexadecimal digits, letters and digits both among them. */
  hex(length: number): string
  shuffle<T>(list: readonly T[]): T[]
}

const STARTS = [
  'b',
  'br',
  'c',
  'd',
  'dr',
  'f',
  'g',
  'gl',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'z',
]
const MIDDLES = ['a', 'e', 'i', 'o', 'u', 'ai', 'or', 'un', 'el', 'im']

/** A generator of its own for each seed. */
export function random(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <T>(from: readonly T[]) => from[below(from.length)] as T
  const digits = (length: number) => Array.from({ length }, () => below(16).toString(16)).join('')
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    pick,
    word: () => Array.from({ length: 2 + below(2) }, () => pick(STARTS) + pick(MIDDLES)).join(''),
    hex(length) {
      for (;;) {
        const hex = digits(length)
        if (/[a-f]/.test(hex) && /\d/.test(hex)) return hex
      }
    },
    shuffle(list) {
      const left = [...list]
      return list.map(() => left.splice(below(left.length), 1)[0] as (typeof list)[number])
    },
  }
}
