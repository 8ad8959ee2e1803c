import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of the repository that a folder lies in; the folder itself where it lies in none. */
export function projectRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (dirname(at) === at) return folder
  }
}

/** The folders from one down to another below it, both included. */
export function foldersBetween(root: string, folder: string): readonly string[] {
  return folder === root || dirname(folder) === folder ? [folder] : [...foldersBetween(root, dirname(folder)), folder]
}
