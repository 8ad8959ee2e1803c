/** Makes ids of the API's shape. Deterministic: the same seed gives the same ids in the same order. */
export type Ids = (prefix: 'msg' | 'req' | 'toolu' | 'srvtoolu') => string

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const RANDOM = 14
/** Before the last one. */
const COUNTED = 7

/** The first part tells simulators apart, the second counts: no id comes twice. */
export function createIds(random: () => number): Ids {
  const own = Array.from({ length: RANDOM }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join('')
  let count = 0
  // All but the last character, which stay the same for as many ids as the alphabet has characters.
  let start = ''
  return (prefix) => {
    count += 1
    const last = count % ALPHABET.length
    if (last === 0 || start === '') start = `_01${own}${counted(Math.floor(count / ALPHABET.length))}`
    return prefix + start + ALPHABET[last]
  }
}

function counted(count: number): string {
  let text = ''
  for (let left = count; text.length < COUNTED; left = Math.floor(left / ALPHABET.length)) {
    text = ALPHABET[left % ALPHABET.length] + text
  }
  return text
}
