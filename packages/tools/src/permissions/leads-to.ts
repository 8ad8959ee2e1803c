import { readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join, parse, sep } from 'node:path'

const MOST_LINKS = 40

/**
 * Where a path leads as the system follows it: `link/..` is the folder above what the link leads to, a link to what does
 * not exist yet leads there all the same. Never throws: what can't be followed is named as it stands.
 */
export function leadsTo(path: string, cwd: string): string {
  return follow(isAbsolute(path) ? path : cwd + sep + path, 0)
}

function follow(path: string, links: number): string {
  const { root } = parse(path)
  let reached = root
  for (const segment of path.slice(root.length).split(SEPARATORS)) {
    if (segment === '' || segment === '.') continue
    reached = segment === '..' ? dirname(reached) : step(join(reached, segment), links)
  }
  return reached
}

const SEPARATORS = sep === '\\' ? /[\\/]/ : /\//

function step(path: string, links: number): string {
  try {
    return realpathSync.native(path)
  } catch {
    const target = linkAt(path)
    if (target === undefined || links >= MOST_LINKS) return path
    return follow(isAbsolute(target) ? target : dirname(path) + sep + target, links + 1)
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
