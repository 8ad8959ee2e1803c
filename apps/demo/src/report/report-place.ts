import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Makes sure that a page can be written there, before anybody has waited for it; throws with what to do if not. */
export async function reportPlace(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) {
    throw new Error(`${path} is a folder. Name a file for the page, such as ${join(path, 'report.html')}`)
  }
  try {
    await mkdir(dirname(path), { recursive: true })
    await access(found ? path : dirname(path), constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`The page can't be written to ${path} (${code}). Name another file with --report.`)
  }
  return path
}
