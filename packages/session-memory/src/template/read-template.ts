import { NacreError } from '@nacre/core'

/** A section of the notes. The model keeps its name and its hint; only the text below them is its own. */
export interface Section {
  readonly name: string
  /** The italic line below the heading; empty where the template has none. */
  readonly hint: string
}

const HEADING = /^# +(.+?) *$/
const ITALIC = /^(?:_.+_|\*[^*].*\*)$/

/** The sections of a template; throws where it has none, or two of one name. */
export function readTemplate(template: string): readonly Section[] {
  const sections: { name: string; hint: string }[] = []
  for (const line of template.split(/\r?\n/)) {
    const name = headingOf(line)
    const last = sections.at(-1)
    if (name !== undefined) sections.push({ name, hint: '' })
    else if (last && last.hint === '' && isItalic(line)) last.hint = line.trim()
  }
  const names = new Set(sections.map(({ name }) => name.toLowerCase()))
  if (names.size === 0 || names.size < sections.length) {
    const problem = names.size === 0 ? "needs headings such as '# Current State'" : 'has two sections of one name'
    throw new NacreError('INVALID_SETTINGS', `The template of the notes ${problem}.`)
  }
  return sections
}

/** The name in a heading of the first level. */
export function headingOf(line: string): string | undefined {
  return HEADING.exec(line)?.[1]
}

export function isItalic(line: string): boolean {
  return ITALIC.test(line.trim())
}
