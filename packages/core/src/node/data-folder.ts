import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where the machine, and a person's settings, say that data belongs. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly home: string
}

/** `NACRE_HOME`, or else the place that is customary on the platform. */
export function dataFolder(surroundings: Surroundings = here()): string {
  const { env, platform, home } = surroundings
  if (env.NACRE_HOME) return env.NACRE_HOME
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'nacre')
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'nacre')
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'nacre')
}

function here(): Surroundings {
  return { env: process.env, platform: process.platform, home: homedir() }
}
