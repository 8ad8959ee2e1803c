import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** Where skills are looked for, the farthest first: managed, of the person, of the project from the root down to `cwd`. */
export function skillFolders(cwd: string, home = homedir()): readonly string[] {
  const project = above(resolve(cwd)).flatMap(both)
  return [...new Set([managedFolder(process.platform), ...both(home), ...project])]
}

function managedFolder(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '/Library/Application Support/nacre/skills'
  if (platform === 'win32') return join(process.env.PROGRAMDATA ?? 'C:\\ProgramData', 'nacre', 'skills')
  return '/etc/nacre/skills'
}

/** Our own folder is nearer than the one that we share with others. */
function both(folder: string): string[] {
  return [join(folder, '.claude', 'skills'), join(folder, '.nacre', 'skills')]
}

/** A folder and all above it, the root first. */
function above(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [...above(parent), folder]
}
