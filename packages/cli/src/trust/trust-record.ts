import { realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { projectSlug } from '@nacre/core/node'

/** A folder that a person trusts. */
export interface TrustRecord {
  readonly folder: string
  /** Milliseconds since 1970. */
  readonly time: number
}

/** The folder of the records in the data folder. */
export function trustFolder(data: string): string {
  return join(data, 'trust')
}

/** One file for each folder, so that two programs at once never lose a record of the other. */
export function trustFile(data: string, folder: string): string {
  return join(trustFolder(data), `${projectSlug(folder)}.json`)
}

/** Links followed: what is trusted is the place, whatever name leads to it. */
export async function realFolder(folder: string): Promise<string> {
  return realpath(folder).catch(() => resolve(folder))
}

/** What a file says, or `undefined` where that is no record. */
export function readRecord(text: string): TrustRecord | undefined {
  try {
    const { folder, time } = JSON.parse(text) as Partial<TrustRecord>
    return typeof folder === 'string' && typeof time === 'number' ? { folder, time } : undefined
  } catch {
    return undefined
  }
}
