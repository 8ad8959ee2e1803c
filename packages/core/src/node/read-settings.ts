import { NacreError } from '../errors.js'
import type { CommandSettings } from './command-hooks.js'
import { readSmallFile } from './read-small-file.js'

/** What a settings file may say. */
export interface Settings {
  /** By name; see `flagSources.settings` of a session. */
  readonly flags?: Readonly<Record<string, unknown>>
  /** Shell commands by hook; see `commandHooks`. */
  readonly hooks?: CommandSettings
}

/** The settings in a file; none where there is no file. What is in it is checked by whoever it is for. */
export async function readSettings(path: string): Promise<Settings> {
  const bytes = await readSmallFile(path).catch((error: Error) => {
    const message = `${path} can not be read (${error.message}). Mend it, or move it away.`
    throw new NacreError('INVALID_SETTINGS', message, { cause: error })
  })
  const value = parse(bytes?.toString() ?? '{}', path)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new NacreError('INVALID_SETTINGS', `${path} has to hold a JSON object, such as {"flags":{}}.`)
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const message = `${path} is no JSON: ${(error as Error).message}. Mend it, or move it away.`
    throw new NacreError('INVALID_SETTINGS', message, { cause: error })
  }
}
