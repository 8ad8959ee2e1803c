import { type SectionKind, sectionKind } from './section-kind.js'

const HEADING = /^[#* ]{0,5}\d{1,2}[.)] +([^\n]{2,90}?)[:*\s]*$/
const FEWEST = 5
/** Stands where a section has nothing to say. */
const NOTHING = '- Nothing.'

/** The lines of a summary by section. */
export type SummaryLines = ReadonlyMap<SectionKind, readonly string[]>

/** The sections of a text that is a summary in numbered ones; nothing for any other text. */
export function readSummary(text: string): SummaryLines | undefined {
  const sections = new Map<SectionKind, string[]>()
  let items: string[] = []
  for (const line of text.split('\n')) {
    const title = HEADING.exec(line)?.[1]
    const kind = title === undefined ? 'other' : sectionKind(title)
    if (kind !== 'other') {
      items = sections.get(kind) ?? []
      sections.set(kind, items)
    } else if (line.trim() === '' || line === NOTHING) continue
    else if (line.startsWith('- ')) items.push(line.slice(2))
    else if (line.startsWith('  ') && items.length > 0) items.push(`${items.pop()}\n${line.slice(2)}`)
    else items.push(line.trim())
  }
  return sections.size >= FEWEST ? sections : undefined
}
