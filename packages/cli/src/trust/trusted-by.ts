import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readRecord, realFolder, trustFile } from './trust-record.js'

/** The folder whose trust holds for this one: itself, or one above it. A record that can't be read is none. */
export async function trustedBy(data: string, folder: string): Promise<string | undefined> {
  for (let at = await realFolder(folder); ; at = dirname(at)) {
    const text = await readFile(trustFile(data, at), 'utf8').catch(() => '')
    if (readRecord(text)?.folder === at) return at
    if (dirname(at) === at) return undefined
  }
}
