import { estimateText } from '@nacre/core'

/** The last of some texts that fit into a budget of estimated tokens, in their order. */
export function fitLast(texts: readonly string[], budget: number): string[] {
  let left = budget
  let first = texts.length
  while (first > 0) {
    left -= estimateText(`${texts[first - 1]}\n`)
    if (left < 0) break
    first -= 1
  }
  return texts.slice(first)
}

const HEAD_SHARE = 0.6
/** Below this a piece tells nothing. */
const LEAST = 40

/** A text within a budget, without its middle where it is too long: what is wanted stands at its ends. */
export function cutMiddle(text: string, budget: number): string {
  let tokens = estimateText(text)
  if (tokens <= budget) return text
  for (let length = Math.floor((text.length * budget) / tokens); length >= LEAST; length = Math.floor(length * 0.9)) {
    const head = text.slice(0, Math.floor(length * HEAD_SHARE)).replace(/[\uD800-\uDBFF]$/, '')
    const tail = text.slice(text.length - Math.floor(length * (1 - HEAD_SHARE))).replace(/^[\uDC00-\uDFFF]/, '')
    const cut = `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`
    tokens = estimateText(cut)
    if (tokens <= budget) return cut
  }
  return ''
}
