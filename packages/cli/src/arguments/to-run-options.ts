import { mergeSettings } from '../settings/merge-settings.js'
import type { Settings } from '../settings/settings.js'
import type { RunFlags } from './run-flags.js'
import type { OpenChoice, RunOptions } from './run-options.js'

/** Makes options of flags that go together. */
export function toRunOptions(flags: RunFlags, argument: string | undefined, fromFile: Settings = {}): RunOptions {
  const { print, maxTurns, maxBudget } = flags
  const isPrint = print !== undefined
  return {
    ...(isPrint && { print: argument ?? print }),
    ...(!isPrint && argument !== undefined && { prompt: argument }),
    output: flags.outputFormat ?? 'text',
    input: flags.inputFormat ?? 'text',
    limits: {
      ...(maxTurns !== undefined && { maxTurns }),
      ...(maxBudget !== undefined && { maxBudgetUsd: maxBudget }),
    },
    open: openChoice(flags),
    isOffline: flags.offline ?? false,
    overrides: overrides(flags, fromFile),
  }
}

function openChoice({ resume, sessionId, forkSession, ...flags }: RunFlags): OpenChoice {
  const fork = forkSession ?? false
  if (flags.continue) return { kind: 'continue', fork }
  if (resume !== undefined) return { kind: 'resume', ...(resume !== true && { text: resume }), fork }
  return { kind: 'new', ...(sessionId !== undefined && { id: sessionId }) }
}

/** Options stand above the file that `--settings` names; lists of both are taken together. */
function overrides(flags: RunFlags, fromFile: Settings): Settings {
  const { model, permissionMode: mode, allowedTools: allow, disallowedTools: deny, addDir: workspace } = flags
  const permissions = {
    ...(mode !== undefined && { mode }),
    ...(allow && { allow }),
    ...(deny && { deny }),
    ...(workspace && { workspace }),
  }
  const given: Settings = {
    ...(model !== undefined && { model }),
    ...(Object.keys(permissions).length > 0 && { permissions }),
    ...(flags.flags && { flags: flags.flags }),
  }
  return mergeSettings([fromFile, given])
}
