import { NacreError } from '@nacre/core'
import type { Settings } from './settings.js'

/** What variables say in place of settings. They stand above all files and below the command line. */
export function environmentSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const model = env.NACRE_MODEL?.trim()
  const window = env.NACRE_CONTEXT_WINDOW?.trim()
  const percent = env.NACRE_AUTOCOMPACT_PCT?.trim()
  if (percent && !(/^\d+(\.\d+)?$/.test(percent) && Number(percent) >= 1 && Number(percent) <= 100)) {
    throw invalid('NACRE_AUTOCOMPACT_PCT', percent, 'a number from 1 to 100, such as 80')
  }
  if (window && !(/^\d+$/.test(window) && Number(window) > 0)) {
    throw invalid('NACRE_CONTEXT_WINDOW', window, 'a whole number of tokens, such as 200000')
  }
  return { ...(model && { model }), ...(window && { contextWindow: Number(window) }) }
}

function invalid(name: string, value: string, expected: string): NacreError {
  return new NacreError('INVALID_SETTINGS', `The variable ${name} is '${value}'; it has to be ${expected}.`)
}
