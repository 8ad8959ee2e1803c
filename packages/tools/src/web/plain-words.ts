const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The words of a page without its tags, scripts and styles. Takes as long as the page is, whatever is in it. */
export function plainWords(html: string): string {
  const lower = html.toLowerCase()
  const parts: string[] = []
  let at = 0
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', at)) {
    parts.push(html.slice(at, open), ' ')
    const close = html.indexOf('>', open)
    const silent = ['script', 'style'].find((name) => lower.startsWith(name, open + 1))
    const end = silent === undefined ? close : lower.indexOf(`</${silent}`, open)
    at = end === -1 ? html.length : silent === undefined ? end + 1 : end + 2 + silent.length
  }
  parts.push(html.slice(at))
  return parts
    .join('')
    .replace(/[ \t]+/g, ' ')
    .replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,6}));/gi, entity)
}

function entity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
  const point = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return point <= 0x10ffff ? String.fromCodePoint(point) : whole
}
