import { existsSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * The nearest folder, from one upwards, that has `.nacre` or `.git` in it; the folder itself where none has. The
 * person's home is a project only with `.git`: what is in its `.nacre` are the settings for everywhere.
 */
export function findProjectRoot(folder: string, home: string): string {
  const start = realFolder(folder)
  const own = realFolder(home)
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || (at !== own && existsSync(join(at, '.nacre')))) return at
    if (dirname(at) === at) return start
  }
}

/** Links followed; a folder that is not there stays as it was named. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
