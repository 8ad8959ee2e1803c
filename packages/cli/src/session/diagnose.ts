import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findModel, resolveModel } from '@nacre/core'
import { makePrivateFolder } from '@nacre/core/node'
import type { Permissions } from '@nacre/tools'
import { loadPlugin, pluginRequests } from '../plugins/load-plugin.js'
import { searchOptions, sessionPermissions } from '../plugins/session-plugins.js'
import { loadSettings } from '../settings/load-settings.js'
import { type CacheSettings, type LoadedSettings, settingsInForce } from '../settings/settings.js'
import type { Terminal } from '../terminal/terminal.js'
import { whatNeedsTrust, withheldNotice } from '../trust/decide-trust.js'
import { isTrusted } from '../trust/trusted-folders.js'
import { DEFAULT_MODEL, NO_MODEL } from './models.js'
import type { Diagnosis } from './opened-session.js'
import { dataPlace } from './project-store.js'

/** Looks at all that the program needs. Nothing of an untrusted folder is run, and no key is shown. */
export async function diagnose(terminal: Terminal, signal: AbortSignal): Promise<readonly Diagnosis[]> {
  const data = dataPlace(terminal)
  const settings = await loadSettings(terminal).catch((error: Error) => error)
  const loaded = settings instanceof Error ? undefined : settings
  const trusted = loaded ? await isTrusted(data, loaded.root) : false
  const parts = await Promise.all([
    nodeVersion(process.versions.node),
    diagnoseModel(terminal.env, loaded, trusted),
    diagnoseCache(loaded ? settingsInForce(loaded, trusted).cache : undefined),
    diagnoseData(data),
    settings instanceof Error ? brokenSettings(settings) : soundSettings(settings),
    loaded ? trustOf(loaded, trusted) : [],
    loaded ? diagnosePlugins(loaded, trusted, data) : [],
    loaded ? diagnoseSandbox(terminal, loaded, trusted, data) : [],
    loaded ? diagnoseSearch(terminal, loaded, trusted, data) : [],
    loaded ? diagnoseMemory(terminal, loaded, trusted, data) : [],
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

/** The way to a model, and what is known of it. The key itself is never shown. */
function diagnoseModel(
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

/** How long the server is asked to keep a conversation, and what that costs. */
function diagnoseCache({ ttl = '5m', edits = false }: CacheSettings = {}): Diagnosis {
  const kept = ttl === '1h' ? 'an hour, written at 2 times' : '5 minutes, written at 1.25 times'
  const deletes = edits ? '; the server is told to delete by reference' : ''
  return { name: 'cache', status: 'ok', detail: `kept for ${kept} the price of input${deletes}` }
}

/** Whether the data folder can be written to, by writing to it. */
async function diagnoseData(data: string): Promise<Diagnosis> {
  const file = join(data, `.doctor-${process.pid}`)
  try {
    await makePrivateFolder(data)
    await writeFile(file, '', { mode: 0o600 })
    return { name: 'data folder', status: 'ok', detail: data }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const remedy = 'Set NACRE_HOME to a folder that can be written to.'
    return { name: 'data folder', status: 'failed', detail: `${data} can not be written to (${code})`, remedy }
  } finally {
    await rm(file, { force: true }).catch(() => undefined)
  }
}

/** Whether the packages that settings name have plugins in them. Those of an untrusted folder are not loaded. */
async function diagnosePlugins(
  loaded: LoadedSettings,
  isTrusted: boolean,
  data: string,
): Promise<readonly Diagnosis[]> {
  const places = { data, isTrusted, root: loaded.root }
  return Promise.all(
    pluginRequests(loaded, isTrusted).map(async (request): Promise<Diagnosis> => {
      const name = `plugin ${request.package}`
      try {
        const plugins = await loadPlugin(request, places)
        return { name, status: 'ok', detail: plugins.map((plugin) => plugin.name).join(', ') }
      } catch (error) {
        const remedy = `Mend it, or take it out of ${request.from}.`
        return { name, status: 'failed', detail: (error as Error).message, remedy }
      }
    }),
  )
}

/** Whether commands would run in a sandbox: one is tried. */
async function diagnoseSandbox(
  terminal: Terminal,
  loaded: LoadedSettings,
  isTrusted: boolean,
  data: string,
): Promise<Diagnosis> {
  const settings = settingsInForce(loaded, isTrusted)
  const status = async ({ sandbox }: Permissions) => {
    const leave = sandbox?.use()
    return Promise.resolve(sandbox?.status()).finally(leave)
  }
  try {
    const found = await sessionPermissions({ terminal, loaded, data, isTrusted, settings, overrides: {} }).then(status)
    if (found && found.name !== 'none')
      return { name: 'sandbox', status: 'ok', detail: `commands run in a sandbox (${found.name})` }
    const why = found?.reason ?? 'there is none.'
    return { name: 'sandbox', status: 'warning', detail: `no sandbox: ${why}`, remedy: UNCAGED }
  } catch (error) {
    return { name: 'sandbox', status: 'failed', detail: (error as Error).message, remedy: 'Mend the settings.' }
  }
}

const UNCAGED = 'Only a short list of plain commands runs without a question.'

/** Who would search the web for a session that begins here, or why nobody would. */
async function diagnoseSearch(
  terminal: Terminal,
  loaded: LoadedSettings,
  isTrusted: boolean,
  data: string,
): Promise<Diagnosis> {
  const settings = settingsInForce(loaded, isTrusted)
  try {
    const { searchWay } = await import('@nacre/tools')
    const permissions = await sessionPermissions({ terminal, loaded, data, isTrusted, settings, overrides: {} })
    const model = resolveModel(settings.model ?? DEFAULT_MODEL)
    const { by, text } = searchWay(model, await searchOptions(settings, terminal.env, permissions))
    return { name: 'web search', status: 'ok', detail: by === 'nobody' ? `none. ${text}` : text }
  } catch (error) {
    return { name: 'web search', status: 'failed', detail: (error as Error).message, remedy: 'Mend the settings.' }
  }
}

/** Where memories are, whether their history can be read, what waits for the person, and why no dream is due. */
async function diagnoseMemory(
  { env, now }: Terminal,
  loaded: LoadedSettings,
  isTrusted: boolean,
  data: string,
): Promise<Diagnosis> {
  const place = { data, root: loaded.root }
  try {
    const { dreamOutlook, memoriesOf } = await import('./look-at-memory.js')
    const memories = await memoriesOf(place, now)
    const [all, changes, inbox, isPaused] = await Promise.all([
      memories.list(),
      memories.log({ limit: 1 }),
      memories.inbox(),
      memories.isPaused(),
    ])
    const outlook = await dreamOutlook({ ...place, settings: settingsInForce(loaded, isTrusted), env, now })
    const count = (scope: string) => all.filter((view) => view.scope === scope).length
    const detail = [
      ...outlook.map(({ scope, path, text }) => `${count(scope)} in ${path}. ${text.split('\n')[0]}`),
      changes.length > 0 ? 'The history is in order.' : 'There is no history yet.',
    ].join(' ')
    if (isPaused) return { name: 'memory', status: 'warning', detail, remedy: 'It is paused: nacre memory pause --off' }
    if (inbox.length === 0) return { name: 'memory', status: 'ok', detail }
    const waiting = `${inbox.length} ${inbox.length === 1 ? 'change waits' : 'changes wait'} for you: nacre memory inbox`
    return { name: 'memory', status: 'warning', detail, remedy: waiting }
  } catch (error) {
    const remedy = 'Look at the folder with git, or move it away; a new one is begun.'
    return { name: 'memory', status: 'failed', detail: (error as Error).message, remedy }
  }
}

/** Programs that make work faster or better; none of them has to be there. */
async function diagnosePrograms(env: Terminal['env'], signal: AbortSignal): Promise<readonly Diagnosis[]> {
  const { findRipgrep } = await import('@nacre/tools')
  const path = await findRipgrep()
  const [ripgrep, git] = await Promise.all([path && versionOf(path, env, signal), versionOf('git', env, signal)])
  return [
    program('ripgrep', ripgrep, 'Searching works without it, in JavaScript and slower. Install ripgrep for speed.'),
    program('git', git, 'Install git to see and undo changes of files.'),
  ]
}

function program(name: string, detail: string | undefined, remedy: string): Diagnosis {
  if (detail !== undefined) return { name, status: 'ok', detail }
  return { name, status: 'warning', detail: 'not found', remedy }
}

const PATIENCE = 10_000

function versionOf(name: string, env: Terminal['env'], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(name, ['--version'], { env: { ...env }, signal, timeout: PATIENCE }, (error, stdout) =>
      resolve(error ? undefined : stdout.split('\n')[0]?.trim()),
    )
  })
}
