import { type LoadedSettings, loadSettings } from '../../settings/load-settings.js'
import type { Terminal } from '../../terminal.js'
import { isTrusted } from '../../trust/is-trusted.js'
import { whatNeedsTrust } from '../../trust/what-needs-trust.js'
import { dataPlace } from '../data-place.js'
import { withheldNotice } from '../decide-trust.js'
import type { Diagnosis } from '../session-controls.js'
import { diagnoseData } from './diagnose-data.js'
import { diagnoseModel } from './diagnose-model.js'
import { diagnosePlugins } from './diagnose-plugins.js'
import { diagnosePrograms } from './diagnose-programs.js'

/** Looks at all that the program needs. Nothing of an untrusted folder is run, and no key is shown. */
export async function diagnose(terminal: Terminal, signal: AbortSignal): Promise<readonly Diagnosis[]> {
  const data = dataPlace(terminal)
  const settings = await loadSettings(terminal).catch((error: Error) => error)
  const loaded = settings instanceof Error ? undefined : settings
  const trusted = loaded ? await isTrusted(data, loaded.root) : false
  const parts = await Promise.all([
    nodeVersion(process.versions.node),
    diagnoseModel(terminal.env, loaded, trusted),
    diagnoseData(data),
    settings instanceof Error ? brokenSettings(settings) : soundSettings(settings),
    loaded ? trustOf(loaded, trusted) : [],
    loaded ? diagnosePlugins(loaded, trusted, data) : [],
    diagnosePrograms(terminal.env, signal),
  ])
  return parts.flat()
}

const OLDEST = [20, 19]

function nodeVersion(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [first = 0, second = 0] = OLDEST
  const isNew = major > first || (major === first && minor >= second)
  const detail = `Node ${version}`
  if (isNew) return { name: 'node', status: 'ok', detail }
  return { name: 'node', status: 'failed', detail, remedy: `Install Node ${OLDEST.join('.')} or later.` }
}

function brokenSettings({ message }: Error): Diagnosis {
  return { name: 'settings', status: 'failed', detail: message, remedy: 'Mend what is named.' }
}

function soundSettings({ files }: LoadedSettings): Diagnosis {
  const detail = files.length === 0 ? 'no files, so defaults' : files.map(({ path }) => path).join(', ')
  return { name: 'settings', status: 'ok', detail }
}

async function trustOf(loaded: LoadedSettings, trusted: boolean): Promise<Diagnosis> {
  const items = await whatNeedsTrust(loaded)
  if (trusted) return { name: 'trust', status: 'ok', detail: `${loaded.root} is trusted` }
  if (items.length === 0)
    return { name: 'trust', status: 'ok', detail: `${loaded.root} names nothing that needs trust` }
  const detail = withheldNotice(loaded.root, items)
  return { name: 'trust', status: 'warning', detail }
}
