/** Numbers from 0 up to 1 that repeat from run to run. @param {number} seed @returns {() => number} */
export function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const WORDS =
  'return const value index request session number string function error result content message update config default'
const SYLLABLES = ['re', 'con', 'ta', 'mi', 'nu', 'sel', 'or', 'ix', 'pa', 'ver', 'lo', 'dan', 'que', 'st', 'im', 'fa']
const ENDS = [' ', ' ', ' ', ' ', '_', '(', ') ', '.', ', ', ' = ', ': ', '\n', '\n  ', ' 7 ', '/', "'", ';\n']

/**
 * So many characters that look like code and its output to a tokenizer: as many to a token as in the recorded sessions.
 * @param {() => number} random
 * @param {number} length
 */
export function codeLike(random, length) {
  const words = WORDS.split(' ')
  const pick = (list) => list[Math.floor(random() * list.length)]
  const pieces = []
  for (let size = 0; size < length; ) {
    const word = random() < COMMON ? pick(words) : `${pick(SYLLABLES)}${pick(SYLLABLES)}`
    const piece = `${word}${pick(ENDS)}`
    pieces.push(piece)
    size += piece.length
  }
  return pieces.join('').slice(0, length).trim() || 'ok'
}

/** The part of words that a tokenizer knows whole. */
const COMMON = 0.6
