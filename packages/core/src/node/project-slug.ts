import { createHash } from 'node:crypto'

const READABLE = 60

/** A folder name for a project: readable by its end, told apart by a hash of the whole. */
export function projectSlug(project: string): string {
  const readable = project
    .replace(/[^A-Za-z0-9]+/g, '-')
    .slice(-READABLE)
    .replace(/^-|-$/g, '')
  const hash = createHash('sha256').update(project).digest('hex').slice(0, 8)
  return `${readable || 'project'}-${hash}`
}
