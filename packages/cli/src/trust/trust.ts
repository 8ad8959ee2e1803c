import { rename, rm, writeFile } from 'node:fs/promises'
import { NacreError } from '@nacre/core'
import { makePrivateFolder } from '@nacre/core/node'
import { realFolder, type TrustRecord, trustFile, trustFolder } from './trust-record.js'

/** Trusts a folder and all below it, from now on. The record is for its owner alone. */
export async function trust(data: string, folder: string, now: number): Promise<TrustRecord> {
  const record = { folder: await realFolder(folder), time: now }
  const file = trustFile(data, record.folder)
  const unfinished = `${file}.${process.pid}.unfinished`
  try {
    await makePrivateFolder(trustFolder(data))
    await writeFile(unfinished, `${JSON.stringify(record)}\n`, { mode: 0o600 })
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    const { code } = error as NodeJS.ErrnoException
    throw new NacreError(
      'STORE_UNWRITABLE',
      `Trust could not be kept in ${file} (${code}). Set NACRE_HOME to a folder that can be written to.`,
      { cause: error },
    )
  }
  return record
}
