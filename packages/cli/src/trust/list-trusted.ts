import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRecord, type TrustRecord, trustFile, trustFolder } from './trust-record.js'

/** All folders that are trusted, by name. */
export async function listTrusted(data: string): Promise<readonly TrustRecord[]> {
  const folder = trustFolder(data)
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const records = await Promise.all(
    names.map(async (name) => {
      const record = readRecord(await readFile(join(folder, name), 'utf8').catch(() => ''))
      return record && trustFile(data, record.folder) === join(folder, name) ? record : undefined
    }),
  )
  return records.filter((record) => record !== undefined).sort((one, other) => (one.folder < other.folder ? -1 : 1))
}
