import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { foldersBetween, projectRoot } from '../paths/project-root.js'

/**
 * Where skills are looked for, the farthest first: managed, of the person, of the project from its root down to `cwd`.
 * Not above the project: what somebody else has put into /tmp, say, is not for sessions in folders below it.
 */
export function skillFolders(cwd: string, home = homedir()): readonly string[] {
  const folder = resolve(cwd)
  const project = foldersBetween(projectRoot(folder), folder).flatMap(both)
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
