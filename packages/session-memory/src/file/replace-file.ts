import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Puts a text in the place of a file: whoever reads it, and whatever is killed when, finds the old one or the new one. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const folder = dirname(path)
  const unfinished = `${path}.${randomUUID()}.tmp`
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    await writeDown(unfinished, text)
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(folder)
}

async function writeDown(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes the new name last. Windows has no such call, and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
