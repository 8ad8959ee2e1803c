import { readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { NacreError } from '@nacre/core'
import { makePrivateFolder, projectSlug } from '@nacre/core/node'

/** Whether what a folder brings along may take effect. Trust in a folder holds for all below it. */
export async function isTrusted(data: string, folder: string): Promise<boolean> {
  return (await trustedBy(data, folder)) !== undefined
}

/** The folder whose trust holds for this one: itself, or one above it. A record that can't be read is none. */
export async function trustedBy(data: string, folder: string): Promise<string | undefined> {
  for (let at = await realFolder(folder); ; at = dirname(at)) {
    const text = await readFile(trustFile(data, at), 'utf8').catch(() => '')
    if (readRecord(text)?.folder === at) return at
    if (dirname(at) === at) return undefined
  }
}

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

/** Takes trust back. `false`: nobody trusted the folder. Trust in a folder above it has to be taken back there. */
export async function untrust(data: string, folder: string): Promise<boolean> {
  const real = await realFolder(folder)
  const source = await trustedBy(data, real)
  if (source === undefined) return false
  await rm(trustFile(data, real), { force: true })
  const above = await trustedBy(data, real)
  if (above === undefined) return true
  throw new NacreError(
    'INVALID_SETTINGS',
    `${real} is trusted since ${above} is. Take that back with: nacre trust --remove ${JSON.stringify(above)}`,
  )
}

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

/** A folder that a person trusts. */
interface TrustRecord {
  readonly folder: string
  /** Milliseconds since 1970. */
  readonly time: number
}

/** The folder of the records in the data folder. */
function trustFolder(data: string): string {
  return join(data, 'trust')
}

/** One file for each folder, so that two programs at once never lose a record of the other. */
function trustFile(data: string, folder: string): string {
  return join(trustFolder(data), `${projectSlug(folder)}.json`)
}

/** Links followed: what is trusted is the place, whatever name leads to it. */
async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => resolve(folder))
}

/** What a file says, or `undefined` where that is no record. */
function readRecord(text: string): TrustRecord | undefined {
  try {
    const { folder, time } = JSON.parse(text) as Partial<TrustRecord>
    return typeof folder === 'string' && typeof time === 'number' ? { folder, time } : undefined
  } catch {
    return undefined
  }
}
