import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { realPath } from './real-path.js'

/**
 * The nearest folder, from one upwards, that has `.nacre` or `.git` in it; the folder itself where none has. The
 * person's home is a project only with `.git`: what is in its `.nacre` are the settings for everywhere.
 */
export function findProjectRoot(folder: string, home: string): string {
  const start = realPath(folder)
  const own = realPath(home)
  for (let at = start; ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || (at !== own && existsSync(join(at, '.nacre')))) return at
    if (dirname(at) === at) return start
  }
}
