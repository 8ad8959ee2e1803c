import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makePrivateFolder } from '../../src/node/write-file.js'

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nacre-private-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it('makes what is missing for its owner alone, and leaves alone what is there', async () => {
  const root = freshFolder()
  chmodSync(root, 0o755)
  const folder = join(root, 'a', 'b', 'c')
  await Promise.all([makePrivateFolder(folder), makePrivateFolder(join(root, 'a', 'b', 'd'))])
  await makePrivateFolder(folder)
  for (const part of ['a', 'a/b', 'a/b/c', 'a/b/d']) expect(statSync(join(root, part)).mode & 0o777).toBe(0o700)
  expect(statSync(root).mode & 0o777).toBe(0o755)
})

it('says what is in the way', async () => {
  const root = freshFolder()
  writeFileSync(join(root, 'file'), '')
  symlinkSync(join(root, 'nowhere'), join(root, 'link'))
  await expect(makePrivateFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makePrivateFolder(join(root, 'file', 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(makePrivateFolder(join(root, 'link', 'below'))).rejects.toMatchObject({ code: 'EEXIST' })
})

it.runIf(existsSync('/proc/self'))('ends where no folder can be made', async () => {
  await expect(makePrivateFolder('/proc/nacre/data')).rejects.toMatchObject({ code: 'ENOENT' })
})
