import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder with what the commands of the corpus name, gone after the file's tests. */
export async function corpusFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'nacre-corpus-')))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  for (const name of ['src', 'secrets', 'locked', 'sub', 'a']) await mkdir(join(folder, name))
  for (const name of ['.env', 'secrets/key', 'a.txt', 'b.txt', 'src/a.ts', 'src/b.ts', 'package.json'])
    await writeFile(join(folder, name), '{}\n')
  await symlink('.env', join(folder, 'link-to-env'))
  await symlink('secrets', join(folder, 'folder-link'))
  await symlink('locked', join(folder, 'edit-link'))
  return folder
}
