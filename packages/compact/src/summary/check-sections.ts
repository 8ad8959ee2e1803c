import { findSections } from './find-sections.js'
import { sectionTitles } from './section-titles.js'

/** The summary as it is; throws when one of its nine sections is not there. */
export function checkSections(summary: string, isUpTo: boolean): string {
  const titles = sectionTitles(isUpTo)
  const found = new Set(findSections(summary, titles).map(({ number }) => number))
  const missing = titles.flatMap((title, index) => (found.has(index + 1) ? [] : [`${index + 1} ${title}`]))
  if (missing.length > 0) throw new Error(`The summary lacks sections: ${missing.join(', ')}.`)
  return summary.trim()
}
