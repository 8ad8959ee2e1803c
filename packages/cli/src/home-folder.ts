import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/**
 * The person's home folder. Where `HOME` is empty or no whole path, the one that the system knows: else it would lead
 * into the current folder, and settings of a folder that nobody trusts would count as the person's own.
 */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const named = env.HOME ?? homedir()
  return isAbsolute(named) ? named : userInfo().homedir
}
