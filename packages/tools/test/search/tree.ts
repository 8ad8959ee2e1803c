import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../support/temporary-folder.js'

/** A folder with these files, the later ones changed later, one second each. */
export async function tree(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await temporaryFolder()
  await plant(folder, files)
  return folder
}

/** Puts files into a folder. */
export async function plant(folder: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
  let second = 1_700_000_000
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, content)
    await utimes(file, second, second)
    second += 1
  }
}
