/** Makes ids of the API's shape. Deterministic: the same seed gives the same ids in the same order. */
export type Ids = (prefix: 'msg' | 'req' | 'toolu' | 'srvtoolu') => string

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const RANDOM = 14
const COUNTED = 8

/** The first part tells simulators apart, the second counts: no id comes twice. */
export function createIds(random: () => number): Ids {
  const own = Array.from({ length: RANDOM }, () => ALPHABET[Math.floor(random() * ALPHABET.length)]).join('')
  let count = 0
  return (prefix) => {
    count += 1
    return `${prefix}_01${own}${counted(count)}`
  }
}

function counted(count: number): string {
  let text = ''
  for (let left = count; text.length < COUNTED; left = Math.floor(left / ALPHABET.length)) {
    text = ALPHABET[left % ALPHABET.length] + text
  }
  return text
}
