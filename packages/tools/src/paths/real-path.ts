import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** Where a path leads once every link in it is followed. What does not exist yet is named below the deepest folder that does. */
export async function realPath(path: string, cwd = '.'): Promise<string> {
  const absolute = resolve(cwd, path)
  try {
    return await realpath(absolute)
  } catch (error) {
    const parent = dirname(absolute)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === absolute) throw error
    return join(await realPath(parent), basename(absolute))
  }
}
