import { rm } from 'node:fs/promises'
import { NacreError } from '@nacre/core'
import { realFolder, trustFile } from './trust-record.js'
import { trustedBy } from './trusted-by.js'

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
