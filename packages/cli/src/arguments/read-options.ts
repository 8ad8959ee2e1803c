import { resolve } from 'node:path'
import type { Settings } from '../settings/settings.js'
import type { Terminal } from '../terminal.js'
import { checkTogether } from './check-together.js'
import type { RunFlags } from './run-flags.js'
import type { RunOptions } from './run-options.js'
import { toRunOptions } from './to-run-options.js'
import { usageError } from './usage-error.js'

/** The options of a run, with the file that `--settings` names. */
export async function readOptions(
  { cwd }: Pick<Terminal, 'cwd'>,
  flags: RunFlags,
  argument: string | undefined,
): Promise<RunOptions> {
  checkTogether(flags, argument)
  const fromFile = flags.settings === undefined ? undefined : await readNamedSettings(resolve(cwd, flags.settings))
  return toRunOptions(flags, argument, fromFile)
}

/** Whoever names a file on the command line has it checked as their own. */
async function readNamedSettings(path: string): Promise<Settings> {
  const { readSettingsFile } = await import('../settings/read-settings-file.js')
  const read = await readSettingsFile({ level: 'user', path })
  if (!read) throw usageError(`--settings: there is no file ${path}.`)
  return read.settings
}
