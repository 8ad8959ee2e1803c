import { findModel, resolveModel } from '@nacre/core'
import type { LoadedSettings } from '../../settings/load-settings.js'
import { settingsInForce } from '../../settings/settings-in-force.js'
import type { Terminal } from '../../terminal.js'
import { NO_MODEL } from '../no-model.js'
import type { Diagnosis } from '../session-controls.js'

/** The way to a model, and what is known of it. The key itself is never shown. */
export function diagnoseModel(
  env: Terminal['env'],
  loaded: LoadedSettings | undefined,
  isTrusted: boolean,
): readonly Diagnosis[] {
  const { model, contextWindow } = loaded ? settingsInForce(loaded, isTrusted) : {}
  return [way(env), ...(model === undefined ? [] : [known(model, contextWindow)])]
}

function way(env: Terminal['env']): Diagnosis {
  const ways = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL'].filter((name) => env[name]?.trim())
  if (ways.length > 0) return { name: 'key', status: 'ok', detail: `${ways.join(' and ')} set` }
  return { name: 'key', status: 'warning', detail: 'not set', remedy: NO_MODEL }
}

function known(model: string, window: number | undefined): Diagnosis {
  const { warnings, windowOrigin, ...info } = resolveModel(model, window === undefined ? {} : { window })
  const detail = `${model}, ${info.window} tokens (${windowOrigin.source})`
  if (findModel(model)) return { name: 'model', status: 'ok', detail }
  return { name: 'model', status: 'warning', detail, remedy: warnings.join(' ') }
}
