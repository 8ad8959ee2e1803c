import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder } from '@nacre/core/node'
import type { Diagnosis } from '../session-controls.js'

/** Whether the data folder can be written to, by writing to it. */
export async function diagnoseData(data: string): Promise<Diagnosis> {
  const file = join(data, `.doctor-${process.pid}`)
  try {
    await makePrivateFolder(data)
    await writeFile(file, '', { mode: 0o600 })
    return { name: 'data folder', status: 'ok', detail: data }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const remedy = 'Set NACRE_HOME to a folder that can be written to.'
    return { name: 'data folder', status: 'failed', detail: `${data} can not be written to (${code})`, remedy }
  } finally {
    await rm(file, { force: true }).catch(() => undefined)
  }
}
