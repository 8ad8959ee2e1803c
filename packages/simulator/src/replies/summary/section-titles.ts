const NUMBERED = /(?:^|[\s;,(*#])(\d{1,2})[.)][ \t]+((?:(?! \d{1,2}[.)] )[^\n;:(]){2,90})/gm
const DECORATION = /^[*_`"'\s[]+|[*_`"'\s\].,]+$/g
const AFTER_TITLE = /\s[—–-]\s|\.\s/

/** The titles of the sections that a text lists by number, wherever in a line they stand; the longest list counts. */
export function sectionTitles(text: string): readonly string[] {
  let longest: string[] = []
  let titles: string[] = []
  for (const [, number, rest = ''] of text.matchAll(NUMBERED)) {
    if (Number(number) === 1) titles = []
    else if (Number(number) !== titles.length + 1) continue
    titles.push((rest.split(AFTER_TITLE)[0] ?? '').replace(DECORATION, ''))
    if (titles.length >= longest.length) longest = titles
  }
  return longest.filter((title) => title !== '')
}
