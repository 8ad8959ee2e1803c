export interface Section {
  readonly number: number
  readonly title: string
  /** Where its heading begins, where its text begins, and where that ends. */
  readonly start: number
  readonly body: number
  readonly end: number
}

/**
 * The sections of a summary by number and title, whatever marks stand around them. Looked for from the last one on: a
 * quoted message may hold headings of its own, and it stands before the end.
 */
export function findSections(text: string, titles: readonly string[]): readonly Section[] {
  const found: Section[] = []
  let end = text.length
  for (let number = titles.length; number >= 1; number--) {
    const title = titles[number - 1] as string
    const heading = [...text.slice(0, end).matchAll(headingOf(number, title))].at(-1)
    if (!heading) continue
    const start = heading.index
    found.unshift({ number, title, start, body: start + heading[0].length, end })
    end = start
  }
  return found
}

function headingOf(number: number, title: string): RegExp {
  const words = title.split(' ').map((word) => (word === 'and' ? '(?:and|&|\\+)' : word))
  return new RegExp(`^[ \\t>#*_-]*${number}[ \\t]*[.):]?[ \\t*_]*${words.join('[ \\t]+')}`, 'gim')
}
