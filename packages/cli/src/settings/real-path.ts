import { realpathSync } from 'node:fs'

/** Links followed; what is not there stays as it was named. */
export function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
