import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Bash where it is found, else the sh that every Unix has. */
export function findShell(searchPath = process.env.PATH ?? ''): string {
  const folders = [...searchPath.split(delimiter).filter((folder) => folder.startsWith('/')), '/bin', '/usr/bin']
  return folders.map((folder) => join(folder, 'bash')).find(isExecutable) ?? '/bin/sh'
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
