/** Makes ids of the API's shape. Deterministic: the same seed gives the same ids in the same order. */
export type Ids = (prefix: 'msg' | 'req' | 'toolu' | 'srvtoolu') => string

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const LENGTH = 22

export function createIds(random: () => number): Ids {
  return (prefix) => {
    let id = `${prefix}_01`
    for (let i = 0; i < LENGTH; i++) id += ALPHABET[Math.floor(random() * ALPHABET.length)]
    return id
  }
}
