import { withOnEdit } from '../conversation/conversation.js'
import { NacreError } from '../errors.js'
import { createDispatcher, type HookSession } from '../hooks/dispatcher.js'
import { createContributions } from '../plugins/contributions.js'
import { createFlags } from '../plugins/flags.js'
import { loadPlugins, pluginsIn } from '../plugins/load-plugins.js'
import { composeEpoch, epochKey } from '../prompt/epoch.js'
import { createRelief } from '../relief/arbiter.js'
import { isAutoCompacted, type ReliefContext } from '../relief/context.js'
import type { ChildOptions, ChildSession, OwnSession } from '../types/child.js'
import type { SessionEvent } from '../types/events.js'
import type { Plugin } from '../types/plugin.js'
import type { Pace } from '../types/relief.js'
import { statesInView } from '../view/projection.js'
import { LIFETIMES } from './accounts.js'
import { createBackground, createNotes } from './background.js'
import { childContributions } from './child.js'
import { createCurrentModel } from './current-model.js'
import { createForks } from './fork.js'
import { baseUpTo } from './fork-base.js'
import type { Opened } from './open-log.js'
import type { Queries } from './queries.js'
import { createRequests } from './requests.js'
import type { Kin, Runtime } from './runtime.js'
import { pluginStores, type Saved, type SessionLog, savedIn, startSessionLog } from './session-log.js'
import { createSteering } from './steering.js'
import { composeNow } from './take-up.js'
import type { Effects, SessionOptions } from './types.js'
import type { Underway } from './underway.js'
import { tellEdit } from './undo.js'

interface StartContext {
  readonly options: SessionOptions
  readonly opened: Opened
  readonly effects: Effects
  readonly queries: Queries
  readonly underway: Underway
  /** Of a session below another. */
  readonly kin?: Kin | undefined
  /** Starts a session below the one that is started here. */
  child(parent: Runtime, options: ChildOptions): Promise<ChildSession>
  emit(event: SessionEvent): void
}

interface Prepared extends Pick<Runtime, 'flags' | 'plugins' | 'report' | 'isOn'> {}

const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env

/** Sets the parts of a session up around its log. Nothing is asked of the model, and nothing written. */
export async function startRuntime(context: StartContext): Promise<Runtime> {
  const { options, opened, effects, kin } = context
  const { details = {}, model, cwd = '.' } = options
  const given = pluginsIn(options.plugins)
  const report = (error: NacreError) => details.report?.(error)
  const sources = { options: options.flags, environment, ...details.flagSources }
  const flags = kin?.parent.flags ?? createFlags({ plugins: given, ...sources })
  await flags.refresh()
  const isOn = (name: string) => name === OWN || flags.isOn(name)
  let runtime: Runtime | undefined
  const storeFor = pluginStores(opened.store, () => runtime?.conversation)
  const setup = { sessionId: opened.id, cwd, model: model.info, now: effects.now }
  const plugins = await loadPlugins({
    plugins: [ownPlugin(options), ...given],
    source: kin?.source ?? 'main',
    context: setup,
    storeFor,
    sessionFor: (owner) => ownSession(context, owner, () => runtime),
    isOn,
    report,
    limits: details.limits,
  })
  try {
    runtime = await assemble(context, { flags, plugins, isOn, report })
    return runtime
  } catch (error) {
    await plugins.dispose()
    throw error
  }
}

/** Builds the parts one on the other: each is made of those above it. */
async function assemble(context: StartContext, { flags, plugins, isOn, report }: Prepared): Promise<Runtime> {
  const { options, opened, effects, queries, underway, kin, emit } = context
  const { source = 'main' } = kin ?? {}
  const { limits, ttl: wanted } = options.details ?? {}
  const { id, store } = opened
  const saved = savedIn(opened.log)
  const own = createContributions(plugins.plugins, isOn)
  const contributions = kin ? childContributions(own, kin) : own
  const composition = saved.compositions?.[0] ?? (await composeEpoch(contributions.sections(), contributions.tools()))
  let log: SessionLog | undefined
  const currentModel = createCurrentModel(options.model, {
    contextBudget: limits?.contextBudget,
    environment,
    autoCompact: () => isAutoCompacted(contributions.reliefs(), log?.view()),
  })
  // A size that makes no sense is said here, not in the middle of a turn.
  currentModel.thresholds()
  const ttl = saved.ttl ?? wanted ?? '5m'
  log = startSessionLog({ opened, effects, currentModel, composition, ttl, source, ...kin })
  const requests = createRequests({ ...log, source, shared: kin?.shared })
  log.listen(requests.onEntry)
  const steering = createSteering(() => log.conversation, effects.newId)
  log.listen(steering.onEntry)
  const budget = limits?.maxBudgetUsd ?? Number.POSITIVE_INFINITY
  const notes = createNotes(report)
  const background = createBackground({ queries, underway, effects, report, limit: limits?.deferred })
  const stores = pluginStores(store, () => log.conversation)
  const base = {
    id,
    source,
    kin,
    children: new Set<ChildSession>(),
    steering,
    underway,
    options,
    effects,
    store,
    stores,
    flags,
    plugins,
    contributions,
    currentModel,
    ...log,
    isOn,
    emit,
    report,
  }
  const beside = { ...base, budget, queries, requests, notes, background }
  const forks = createForks(beside)
  const session = hookSessionOf({ ...beside, forks })
  const hooks = createDispatcher({ plugins: plugins.plugins, session, isOn, notes: notes.give, report })
  log.listen((entry) => {
    if (entry.kind !== 'notice') return
    emit({ type: 'notice', notice: entry })
    void hooks.collect('Notification', { notice: entry })
  })
  const observed = withOnEdit(log.conversation, (edit) => tellEdit({ hooks, view: log.view, emit }, edit))
  const relief = createRelief(reliefContext({ ...beside, forks, hooks }))
  background.open(async (owner, draft) =>
    // What a plugin has begun while it was on may come to its end when it is off.
    isOn(owner) ? relief.install(owner, draft, 'auto') : { refused: `Plugin '${owner}' is switched off.` },
  )
  return { ...beside, forks, session, hooks, observed, relief }
}

/** The name under which a session's own prompt and tools stand beside those of its plugins. */
const OWN = 'session'

/** What a program gives to its session directly is a plugin like any other. */
function ownPlugin({ system, tools = [] }: Pick<SessionOptions, 'system' | 'tools'>): Plugin {
  const sections =
    typeof system === 'string' ? [{ name: 'system', scope: 'static' as const, text: () => system }] : (system ?? [])
  return { name: OWN, scope: 'all', setup: () => ({ tools, prompt: sections }) }
}

/** The session for what a plugin does beside its hooks; nothing of it works before the session has started. */
function ownSession({ kin, child }: StartContext, owner: string, runtime: () => Runtime | undefined): OwnSession {
  const started = () => {
    const found = runtime()
    if (found) return found
    throw new NacreError(
      'INVALID_REQUEST',
      'The session has not started yet: use it from a hook or a tool, not in setup.',
    )
  }
  return {
    source: kin?.source ?? 'main',
    steer: async (content, options) => started().steering.add(owner, content, options),
    child: async (options) => child(started(), options),
  }
}

function hookSessionOf({
  id,
  source,
  stores,
  queries,
  background,
  forks,
  underway,
  view,
}: Pick<Runtime, 'id' | 'source' | 'stores' | 'queries' | 'background' | 'forks' | 'underway' | 'view'>): HookSession {
  return {
    sessionId: id,
    source,
    get signal() {
      return queries.signal()
    },
    view,
    store: stores,
    watch: underway.watch,
    propose: background.propose,
    defer: background.defer,
    fork: (_owner, options) => forks.fork(options),
  }
}

type BelowRelief = Omit<Runtime, 'relief' | 'observed' | 'session'>

/** What relief sees of its session. */
function reliefContext(runtime: BelowRelief): ReliefContext {
  const { conversation, hooks, contributions, currentModel, tokens, notes, compositions, view, emit, forks } = runtime
  return {
    conversation,
    source: runtime.source,
    hooks,
    view,
    reliefs: contributions.reliefs,
    restorers: contributions.restorers,
    thresholds: () => currentModel.thresholds(),
    model: () => currentModel.model().info,
    tokens: (estimate) => tokens.calibration.tokens(estimate),
    pace: () => paceOf(runtime),
    async renewEpoch() {
      const renewed = await composeNow(runtime)
      if (epochKey(renewed.epoch) === epochKey(conversation.epoch())) return undefined
      compositions.add(renewed)
      return renewed.epoch
    },
    rules: (epoch = conversation.epoch()) => compositions.of(epoch).sections.flatMap(({ rules }) => rules ?? []),
    checkpoint: () => ({ ...savedOf(runtime), states: statesInView(conversation.projection).filter(isKept) }),
    emit,
    tool: contributions.tool,
    watch: runtime.underway.watch,
    extendsAnswered() {
      const sent = runtime.requests.lastAnswered()?.sent.messages
      return !sent || conversation.rendering().at(sent.length - 1)?.chain === sent.at(-1)?.chain
    },
    cachedUpTo: (entry) => baseUpTo(runtime, entry) !== undefined,
    fork: forks.fork,
    ask: forks.ask,
    collectNotes: notes.collect,
  }
}

function paceOf({ tokens, responses, effects, ttl }: BelowRelief): Pace {
  const last = tokens.lastResponse()
  const idle = last === undefined ? Number.POSITIVE_INFINITY : effects.now() - last
  return {
    tokensPerTurn: tokens.tokensPerTurn(),
    ttl,
    idle,
    isCold: idle >= LIFETIMES[ttl],
    // Nobody knows how long a session will go on; that it goes on for as long again is the best guess there is.
    turnsExpected: Math.max(1, responses()),
  }
}

function savedOf({ compositions, conversation, accounts, tokens, responses, ttl }: BelowRelief): Saved {
  const current = compositions.of(conversation.epoch())
  const others = compositions.all().filter(({ epoch }) => epochKey(epoch) !== epochKey(current.epoch))
  return {
    compositions: [current, ...others],
    spent: accounts.ledger().state(),
    tokens: tokens.state(),
    responses: responses(),
    ttl,
  }
}

function isKept({ owner, key }: { readonly owner: string; readonly key: string }): boolean {
  return owner !== 'core' || (key !== 'checkpoint' && key !== 'spent' && key !== 'epoch')
}
