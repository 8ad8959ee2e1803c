import type { LoadedSettings } from './load-settings.js'
import { mergeSettings } from './merge-settings.js'
import type { Settings } from './settings.js'

/** The settings that count. `overrides` are those of the command line, which come last. */
export function settingsInForce(
  { files, environment }: LoadedSettings,
  isTrusted: boolean,
  overrides: Settings = {},
): Settings {
  const counted = files.map(({ level, settings }) =>
    level === 'user' || isTrusted ? settings : harmlessPart(settings),
  )
  return mergeSettings([...counted, environment, overrides])
}

/** What a folder that nobody trusts may say: nothing that runs, allows or switches anything. */
function harmlessPart({ model, contextWindow, compact, permissions }: Settings): Settings {
  const { deny, ask } = permissions ?? {}
  return {
    ...(model !== undefined && { model }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(compact && { compact }),
    ...((deny || ask) && { permissions: { ...(deny && { deny }), ...(ask && { ask }) } }),
  }
}
