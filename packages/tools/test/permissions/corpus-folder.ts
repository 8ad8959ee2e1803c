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
  // What git takes for repositories: one found from below, and one that borrows all but its head.
  for (const name of ['disguised/sub', 'disguised/objects', 'disguised/refs', 'borrowed'])
    await mkdir(join(folder, name), { recursive: true })
  for (const name of ['disguised', 'borrowed']) await writeFile(join(folder, name, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(join(folder, 'borrowed/commondir'), '../disguised\n')
  await symlink('.env', join(folder, 'link-to-env'))
  await symlink('secrets', join(folder, 'folder-link'))
  await symlink('locked', join(folder, 'edit-link'))
  return folder
}
