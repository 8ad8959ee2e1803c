import { open } from 'node:fs/promises'

/** Makes a new name last. Windows has no such call, and needs none. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
