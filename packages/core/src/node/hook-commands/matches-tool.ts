/** Whether a tool's name fits a matcher: names with `*` and `?`, split by `|`. An empty matcher fits all. */
export function matchesTool(matcher: string | undefined, tool: string): boolean {
  if (!matcher) return true
  return matcher.split('|').some((glob) => globPattern(glob.trim()).test(tool))
}

function globPattern(glob: string): RegExp {
  const escaped = glob.replace(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\*+/g, '.*').replaceAll('?', '.')}$`, 's')
}
