/**
 * Plain BM25 as in the textbook: words in lower case, the speaker's name before the text, nothing else known.
 * Its two constants decide much where messages differ in length as they do in chats with an assistant.
 * @param {readonly { id: string, text: string, speaker: string }[]} texts
 * @param {{ k1: number, b: number }} constants
 */
export function plainBm25(texts, { k1, b }) {
  const counted = texts.map(({ id, text, speaker }) => {
    const counts = new Map()
    const words = `${speaker}: ${text}`.toLowerCase().match(/[a-z0-9]+/g) ?? []
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    return { id, counts, length: words.length }
  })
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length
  return (query, limit) => {
    const words = [...new Set(query.toLowerCase().match(/[a-z0-9]+/g) ?? [])]
    const rarities = words.map((word) => {
      const having = counted.filter(({ counts }) => counts.has(word)).length
      return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5))
    })
    const scored = counted.map(({ id, counts, length }) => {
      const score = words.reduce((sum, word, index) => {
        const times = counts.get(word) ?? 0
        return sum + (rarities[index] * times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / average))
      }, 0)
      return { id, score }
    })
    return best(scored, limit)
  }
}

/** What a window without memory has: the last that was said. @param {readonly { id: string }[]} texts */
export function lastSaid(texts) {
  const ids = texts.map(({ id }) => id).reverse()
  return (_query, limit) => ids.slice(0, limit)
}

function best(scored, limit) {
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ id }) => id)
}
