/** A section of a summary, by what it was known: the words of its title, its number, or its place among all headings. */
export interface Section {
  readonly number: number
  readonly title: string
  readonly by: 'title' | 'number' | 'place'
  /** Where its heading begins, where its text begins, and where that ends. */
  readonly start: number
  readonly body: number
  readonly end: number
}

interface Heading {
  readonly at: number
  readonly body: number
  readonly by: Section['by']
}

/**
 * The sections of a summary, whatever marks stand around their titles and whatever language those are in. Looked for from
 * the last one on: a quoted message may hold headings of its own, and it stands before the end.
 */
export function findSections(text: string, titles: readonly string[]): readonly Section[] {
  const titled = titles.map((title, index) => titlePatterns(index + 1, title))
  const numbered = numberedLines(text)
  const found: Section[] = []
  let end = text.length
  for (let number = titles.length; number >= 1; number--) {
    const before = text.slice(0, end)
    const heading = byTitle(before, titled[number - 1] ?? []) ?? byNumber(numbered, number, end, before, titled)
    if (!heading) continue
    found.unshift(sectionOf(number, titles, heading, end))
    end = heading.at
  }
  return found.length >= FEW ? found : longer(byPlace(text, titles), found)
}

/** With fewer that were found by their words or numbers, those may be words of the text. */
const FEW = 3

function longer(one: readonly Section[], other: readonly Section[]): readonly Section[] {
  return one.length > other.length ? one : other
}

function sectionOf(number: number, titles: readonly string[], { at, body, by }: Heading, end: number): Section {
  return { number, title: titles[number - 1] as string, by, start: at, body, end }
}

/** Its number and its title, whatever follows on the line; else its title as the words of a line of its own. */
function titlePatterns(number: number, title: string): readonly RegExp[] {
  const words = title
    .split(' ')
    .map((word) => (word === 'and' ? '(?:and|&|\\+)' : word))
    .join('[ \\t]+')
  const extra = '(?:\\p{L}+[ \\t]+){0,2}'
  return [
    new RegExp(`^[ \\t>#*_-]*${number}[ \\t]*[.):]?[ \\t*_]*${extra}${words}`, 'gimu'),
    new RegExp(`^[ \\t]*[^\\p{L}\\n]{0,12}${extra}${words}[^\\p{L}\\n]{0,12}$`, 'gimu'),
  ]
}

function byTitle(text: string, patterns: readonly RegExp[]): Heading | undefined {
  for (const pattern of patterns) {
    const last = [...text.matchAll(pattern)].at(-1)
    if (last) return { at: last.index, body: last.index + last[0].length, by: 'title' }
  }
  return undefined
}

interface NumberedLine {
  readonly number: number
  readonly at: number
  readonly body: number
}

const NUMBERED =
  /^[ \t>#*_\-•(【[]*(?:(?:section|abschnitt|sección|seção|sezione|раздел|第)[ \t]*)?(?:(\p{Nd}{1,2})|([①-⑳])|([一二三四五六七八九十]{1,2})|([ivx]{1,5}))[節节章]?[ \t]*[.．):：、）】\]\-–—*][ \t*_]*(?=\S)/gimu

/** The lines that begin with a number, in any script. */
function numberedLines(text: string): readonly NumberedLine[] {
  return [...text.matchAll(NUMBERED)].flatMap((line) => {
    const number = numberIn(line.slice(1))
    return number === undefined ? [] : [{ number, at: line.index, body: line.index + line[0].length }]
  })
}

const HAN = '一二三四五六七八九'
const ROMAN: readonly string[] = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii']
const CIRCLED = '①'.charCodeAt(0)

function numberIn([digits, circled, han, roman]: readonly (string | undefined)[]): number | undefined {
  if (digits !== undefined) return [...digits].reduce((number, digit) => number * 10 + digitValue(digit), 0)
  if (circled !== undefined) return circled.charCodeAt(0) - CIRCLED + 1
  if (han !== undefined) return han.startsWith('十') ? 10 + HAN.indexOf(han[1] ?? '') + 1 : HAN.indexOf(han) + 1
  const index = ROMAN.indexOf((roman ?? '').toLowerCase())
  return index === -1 ? undefined : index + 1
}

/** Digits of a script stand in a row, the zero first. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1
  return value
}

/** The last line with that number that stands behind the sections before it, as far as their titles tell where those are. */
function byNumber(
  lines: readonly NumberedLine[],
  number: number,
  end: number,
  before: string,
  titled: readonly (readonly RegExp[])[],
): Heading | undefined {
  const candidates = lines.filter((line) => line.number === number && line.at < end)
  const last = candidates.at(-1)
  if (!last) return undefined
  for (let earlier = number - 1; earlier >= 1; earlier--) {
    const known = byTitle(before, titled[earlier - 1] ?? [])
    if (!known) continue
    return known.at < last.at ? { ...last, by: 'number' } : undefined
  }
  return { ...last, by: 'number' }
}

/** Ways to set a heading apart that need no number. */
const MARKS: readonly RegExp[] = [
  /^#{1,6}[ \t]*\S[^\n]*$/gm,
  /^[ \t]{0,3}(?:\*\*|__)[^*_\n]{1,80}(?:\*\*|__)[:： \t]{0,3}$/gm,
  /^[ \t]{0,3}【[^】\n]{1,80}】/gm,
  /^[ \t]{0,3}[■◆●▪►▶§◼□][ \t]{0,3}\S[^\n]{0,80}$/gm,
  /^[ \t]{0,3}={2,8}[^=\n]{1,80}={2,8}[ \t]{0,3}$/gm,
  /^[^\n]{1,80}\n(?:={3,80}|-{3,80})$/gm,
  /^<([\p{L}_-]{2,40})>/gmu,
  /^[^\s\-*•\d][^\n]{0,80}[:：][ \t]{0,3}$/gm,
]

/** As many headings of one kind as there are sections are those. */
function byPlace(text: string, titles: readonly string[]): readonly Section[] {
  for (const mark of MARKS) {
    const lines = [...text.matchAll(mark)]
    if (lines.length !== titles.length) continue
    return lines.map((line, index) => {
      const heading = { at: line.index, body: line.index + line[0].length, by: 'place' as const }
      return sectionOf(index + 1, titles, heading, lines[index + 1]?.index ?? text.length)
    })
  }
  return []
}
