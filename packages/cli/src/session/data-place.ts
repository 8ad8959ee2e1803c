import { isAbsolute } from 'node:path'
import { NacreError } from '@nacre/core'
import { dataFolder } from '@nacre/core/node'
import type { Terminal } from '../terminal.js'

/** The folder in which the program keeps sessions, notes and trust. */
export function dataPlace({ env, home }: Pick<Terminal, 'env' | 'home'>): string {
  const folder = dataFolder({ env, platform: process.platform, home })
  if (isAbsolute(folder)) return folder
  // A folder below the current one could bring along its own trust.
  const name = ['NACRE_HOME', 'XDG_DATA_HOME', 'LOCALAPPDATA'].find((each) => env[each])
  throw new NacreError(
    'INVALID_SETTINGS',
    `The variable ${name} is '${env[name ?? '']}'; it has to be a whole path, such as /home/me/.nacre-data.`,
  )
}
