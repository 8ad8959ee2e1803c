const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of a page without its tags, scripts and styles. Takes as long as the page is, whatever is in it. */
export function plainWords(html: string): string {
  const parts: string[] = []
  let at = 0
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', at)) {
    parts.push(html.slice(at, open), ' ')
    at = endOfTag(html, open)
  }
  parts.push(html.slice(at))
  return parts
    .join('')
    .replace(/[ \t]+/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi, entity)
}

/** Where the words go on. What is not there is looked for once, as nothing comes after it. */
function endOfTag(html: string, open: number): number {
  const silent = ['script', 'style'].find((name) => html.slice(open + 1, open + 1 + name.length).toLowerCase() === name)
  const end = new RegExp(silent === undefined ? '>' : `</${silent}\\s*>?`, 'gi')
  end.lastIndex = open
  return end.test(html) ? end.lastIndex : html.length
}

function entity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return point <= 0x10ffff ? String.fromCodePoint(point) : whole
}
