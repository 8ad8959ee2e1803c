import { estimateText } from '@nacre/core'
import { FIGURES } from '../figures.js'
import type { Section } from '../template/read-template.js'
import { type Notes, writtenSections } from './notes.js'

/** Notes that stand for a folded span: each section, and all of them, within their limits. A cut says where the rest is. */
export function cutSections(notes: Notes, sections: readonly Section[], scale: number, path: string): string {
  const written = writtenSections(notes, sections)
  const sizes = written.map(({ text }) => estimateText(text))
  const limit = sharedLimit(sizes, FIGURES.section * scale, FIGURES.total * scale)
  return written
    .map(({ name, text }, index) => {
      const isCut = (sizes[index] ?? 0) > limit
      return `# ${name}\n${isCut ? `${cut(text, limit)}\n[cut here; the whole section is in ${path}]` : text}`
    })
    .join('\n\n')
}

/** The most that a section may have so that all together have no more than `total`: small ones leave room for large ones. */
function sharedLimit(sizes: readonly number[], most: number, total: number): number {
  const sorted = sizes.toSorted((a, b) => a - b)
  let left = total
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index)
    if (Math.min(size, most) > share) return share
    left -= Math.min(size, most)
  }
  return most
}

/** The first lines that fit; of one long line, the first characters. */
function cut(text: string, limit: number): string {
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (estimateText(text.slice(0, middle)) <= limit) low = middle
    else high = middle - 1
  }
  const line = text.lastIndexOf('\n', low)
  const end = line > low / 2 ? line : low
  // Half of a surrogate pair can be sent nowhere.
  const isHalf = /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')
  return text.slice(0, isHalf ? end - 1 : end)
}
