import type { SessionStore } from '../contract/store.js'
import type { FlagSources } from '../flags/flags.js'
import { createForkTurns } from '../fork/fork-turns.js'
import type { NoticeEntry } from '../log/entry.js'
import type { SessionEvent } from '../loop/events.js'
import { NacreError } from '../nacre-error.js'
import type { LoadedPlugins } from '../plugins/load-plugins.js'
import { composeEpoch } from '../prompt/compose-epoch.js'
import { reliefOnDemand } from '../relief/relief-on-demand.js'
import { hookSessionOf } from './hook-session-of.js'
import { createKit, OWN, ownPlugin } from './kit.js'
import { latch } from './latch.js'
import { createModelSeat } from './model-seat.js'
import type { Opened } from './open-stored.js'
import { plainHost } from './plain-host.js'
import { pluginStore } from './plugin-store.js'
import { createRequests } from './requests.js'
import type { Runtime } from './runtime.js'
import { savedIn } from './saved.js'
import { startSessionLog } from './session-log.js'
import type { Senses, SessionOptions } from './session-options.js'
import { startStatus } from './status.js'
import { tellEdit } from './tell-edit.js'
import { toldConversation } from './told-conversation.js'
import { type Host, loadActions, withActions } from './with-actions.js'

export interface StartParts {
  readonly options: SessionOptions
  readonly opened: Opened
  readonly senses: Senses
  readonly signal: AbortSignal
  emit(event: SessionEvent): void
}

interface Prepared extends Pick<Runtime, 'flags' | 'plugins' | 'report'> {
  readonly host: Host
  isOn(name: string): boolean
}

const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env

/** Sets the parts of a session up around its log. Nothing is asked of the model, and nothing written. */
export async function startRuntime(parts: StartParts): Promise<Runtime> {
  const { details = {}, flags: options, plugins = [] } = parts.options
  const report = (error: NacreError) => details.report?.(error)
  const sources = { plugins, options, environment, ...details.flagSources }
  const host = isPlain(sources) ? plainHost : await loadActions()
  const flags = host.createFlags(sources)
  await flags.refresh()
  const isOn = (name: string) => name === OWN || flags.isOn(name)
  let runtime: Runtime | undefined
  const store = pluginStore(parts.opened.store, () => runtime?.conversation)
  const loaded = await setUp(parts, host, store, { isOn, report })
  try {
    runtime = await assemble(parts, { host, flags, plugins: loaded, isOn, report })
    return runtime
  } catch (error) {
    await loaded.dispose()
    throw error
  }
}

/** Flags without plugins are a mistake, which whoever knows flags will name. */
function isPlain({ plugins, options, settings, environment }: FlagSources): boolean {
  return plugins.length === 0 && !environment?.NACRE_FLAGS && Object.keys({ ...options, ...settings }).length === 0
}

function setUp(
  { options, opened, senses, signal }: StartParts,
  host: Host,
  store: SessionStore,
  { isOn, report }: Pick<Prepared, 'isOn' | 'report'>,
): Promise<LoadedPlugins> {
  const { model, cwd = '.', plugins = [] } = options
  const context = { sessionId: opened.id, cwd, store, model: model.info, now: senses.now }
  return host.loadPlugins({ plugins: [ownPlugin(options), ...plugins], source: 'main', context, isOn, report, signal })
}

async function assemble(parts: StartParts, { host, flags, plugins, isOn, report }: Prepared): Promise<Runtime> {
  const { options, opened, senses, signal, emit } = parts
  const { limits, ttl: wanted } = options.details ?? {}
  const saved = savedIn(opened.log)
  const ttl = saved.ttl ?? wanted ?? '5m'
  const kit = createKit(plugins.plugins, isOn)
  const first = saved.compositions?.[0] ?? (await composeEpoch(kit.sections(), kit.tools()))
  const seat = createModelSeat(options.model, { contextBudget: limits?.contextBudget, environment })
  // A size that makes no sense is said here, not in the middle of a turn.
  seat.thresholds()
  const status = startStatus(signal)
  const noticed = (notice: NoticeEntry) => {
    emit({ type: 'notice', notice })
    void hooks.collect('Notification', { notice })
  }
  const log = startSessionLog({ opened, senses, seat, status, first, ttl, noticed })
  const told = toldConversation(log.conversation, (edit) => tellEdit(runtime, edit))
  const notes = host.createNotes(told, (plugin, reason) => {
    report(new NacreError('EDIT_REFUSED', `A note of plugin '${plugin}' was refused: ${reason}`, { plugin }))
  })
  const own = { id: opened.id, options, senses, store: opened.store, flags, plugins, kit, seat, notes, status }
  const budget = limits?.maxBudgetUsd ?? Number.POSITIVE_INFINITY
  const shared = { ...own, ...log, emit, report, isOn, budget, forkTurns: createForkTurns() }
  const background = host.createBackground({
    // What a plugin has begun while it was on may come to its end when it is off.
    install: async (owner, draft) =>
      isOn(owner) ? relief.install(owner, draft, 'auto') : { refused: `Plugin '${owner}' is switched off.` },
    isBusy: () => status.isRunning,
    report,
  })
  const fork: Runtime['fork'] = async (asked) => withActions(({ runFork }) => runFork(runtime, asked))
  const ask: Runtime['ask'] = async (asked) => withActions(({ runAsk }) => runAsk(runtime, asked))
  const session = hookSessionOf({ ...shared, background, fork })
  const hooks = host.createDispatcher({
    plugins: plugins.plugins,
    session,
    isOn,
    notes: notes.give,
    report,
  })
  const relief = reliefOnDemand(async () =>
    withActions(({ createRelief, reliefPartsOf }) => createRelief(reliefPartsOf({ ...shared, hooks, fork, ask }))),
  )
  const requests = createRequests({
    conversation: log.conversation,
    hooks,
    source: 'main',
    ttl,
    view: log.view,
    composition: () => log.compositions.of(log.conversation.epoch()),
    standing: relief.standing,
    latch: (extra) => latch(shared, extra),
    flushNotes: notes.flush,
  })
  const runtime: Runtime = { ...shared, session, told, background, hooks, requests, relief, fork, ask }
  return runtime
}
