import { callWithin, realTimer, type Timer } from '../async.js'
import { isNacreError, messageOf, NacreError } from '../errors.js'
import type { Watch } from '../types/events.js'
import type { ForkOptions, ForkResult, Source } from '../types/fork.js'
import {
  type Dispatcher,
  gateVerdicts,
  type HookAnswer,
  type HookContext,
  type HookEvent,
  type HookName,
  type Hooks,
} from '../types/hooks.js'
import type { Edit, Id, Note } from '../types/log.js'
import type { Scope } from '../types/plugin.js'
import type { Draft } from '../types/relief.js'
import type { SessionStore } from '../types/store.js'
import type { View } from '../types/view.js'
import { checkTransformed, readVerdict } from './read-answer.js'

/** After an abort no further handler starts: `decide` rejects with ABORTED, the others give what they have by then. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const ask = askHandlers(options, () => dispatcher)
  const fail = (error: NacreError) => {
    if (error.code !== 'ABORTED') options.report(error)
  }

  const dispatcher: Dispatcher = {
    async collect<Name extends HookName<'collect'>>(name: Name, event: HookEvent<Name>) {
      const answers: { owner: string; answer: HookAnswer<Name> }[] = []
      const take = (answer: unknown, owner: string) => {
        answers.push({ owner, answer: answer as HookAnswer<Name> })
        return false
      }
      await ask(name, { event: () => event, take, fail })
      return answers
    },

    async transform<Name extends HookName<'transform'>>(name: Name, event: HookEvent<Name>) {
      const changes: { owner: string; value: HookAnswer<Name> }[] = []
      let current: { readonly value: unknown } = event
      const take = (value: unknown, owner: string) => {
        if (value === current.value) return false
        checkTransformed(name, current.value, value)
        changes.push({ owner, value: value as HookAnswer<Name> })
        current = { ...event, value }
        return false
      }
      await ask(name, { event: () => current, take, fail })
      return { value: current.value as HookAnswer<Name>, changes }
    },

    async decide<Name extends HookName<'decide'>>(
      name: Name,
      event: HookEvent<Name>,
      ...[given]: readonly (readonly string[])[]
    ) {
      const verdicts = given ?? (gateVerdicts as Readonly<Record<string, readonly string[]>>)[name] ?? []
      let strictest: (HookAnswer<Name> & { owner: string }) | undefined
      let best = Number.POSITIVE_INFINITY
      const take = (answer: unknown, owner: string) => {
        const { rank, ...read } = readVerdict(answer, verdicts, `Plugin '${owner}' (${name})`)
        if (rank < best) strictest = { ...(read as HookAnswer<Name>), owner }
        best = Math.min(best, rank)
        return rank === 0
      }
      await ask(name, { event: () => event, take, fail: raise })
      return strictest
    },
  }
  return dispatcher
}

function raise(error: NacreError): never {
  throw error
}

export interface DispatcherOptions {
  /** In the order of the session's list. */
  readonly plugins: readonly HookOwner[]
  readonly session: HookSession
  /** Whether a plugin is switched on; asked at each dispatch. */
  isOn(plugin: string): boolean
  /** Takes what a plugin has noted, when the dispatch ends. */
  notes(owner: string, notes: readonly Note[]): void
  /** Hears of each handler that failed where the caller does not: HOOK_FAILED or HOOK_TIMEOUT. Must not throw. */
  report(error: NacreError): void
  /** Milliseconds for one handler; 60,000 unless told. */
  readonly timeout?: number
  readonly timer?: Timer
}

/** How one dispatch asks, and what it does with what it hears. */
interface Inquiry {
  event(): unknown
  /** `true` when nobody else needs to be asked. Not called for `undefined`, which is no answer. */
  take(answer: unknown, owner: string): boolean
  fail(error: NacreError): void
}

/** What the three kinds share: who is asked, in which order, within which limits, and what becomes of the notes. */
function askHandlers(options: DispatcherOptions, dispatcher: () => Dispatcher) {
  const { plugins, session, timeout = 60_000, timer = realTimer } = options
  const handlers = new Map<HookName, readonly BoundHandler[]>()

  function heardBy(name: HookName): readonly BoundHandler[] {
    let all = handlers.get(name)
    if (!all) {
      all = boundHandlers(plugins, name)
      handlers.set(name, all)
    }
    // Most hooks are heard by nobody, and a turn meets ten of them.
    if (all.length === 0) return all
    return all.filter(({ scope, owner }) => (scope === 'all' || !session.isFork) && options.isOn(owner))
  }

  async function call(name: HookName, bound: BoundHandler, event: unknown) {
    const limits = { signal: session.signal, timeout: bound.timeout ?? timeout, timer }
    let end = (): readonly Note[] => []
    try {
      const answer = await callWithin(limits, (signal) => {
        const opened = handlerContext(session, dispatcher(), bound.owner, signal)
        end = opened.end
        const work = bound.handler(event, opened.context)
        return session.watch ? session.watch({ what: 'hook', name, plugin: bound.owner }, work) : work
      })
      return { answer, notes: end() }
    } finally {
      end()
    }
  }

  return async (name: HookName, { event, take, fail }: Inquiry): Promise<void> => {
    const heard = heardBy(name)
    if (heard.length === 0) return
    const given: (readonly [string, readonly Note[]])[] = []
    try {
      for (const bound of heard) {
        try {
          const { answer, notes } = await call(name, bound, event())
          const isEnough = answer !== undefined && take(answer, bound.owner)
          if (notes.length > 0) given.push([bound.owner, notes])
          if (isEnough) return
        } catch (error) {
          fail(hookError(error, bound.owner, name, session.signal.aborted))
        }
      }
    } finally {
      for (const [owner, notes] of given) options.notes(owner, notes)
    }
  }
}

function hookError(error: unknown, plugin: string, hook: string, isAborted: boolean): NacreError {
  const code = isAborted ? 'ABORTED' : isNacreError(error, 'HOOK_TIMEOUT') ? 'HOOK_TIMEOUT' : 'HOOK_FAILED'
  return new NacreError(code, `Hook ${hook} of plugin '${plugin}': ${messageOf(error)}`, { cause: error, plugin, hook })
}

/** What the dispatcher has to know of a plugin that is set up. */
export interface HookOwner {
  readonly name: string
  /** Who stands behind what its handlers do; itself unless told. */
  readonly owner?: string
  readonly scope?: Scope
  readonly contribution: { readonly hooks?: Hooks }
}

/** A handler with the types of its hook erased: the dispatcher's methods put them back. */
interface BoundHandler {
  readonly owner: string
  readonly scope: Scope
  readonly order: 'pre' | 'normal' | 'post'
  /** Milliseconds; a handler that limits itself asks for `Infinity`. */
  readonly timeout?: number
  handler(event: unknown, context: HookContext): unknown
}

type Registered =
  | BoundHandler['handler']
  | { readonly order?: 'pre' | 'post'; readonly timeout?: number; readonly handler: BoundHandler['handler'] }

const ORDERS = ['pre', 'normal', 'post'] as const

/** All handlers of one hook: in the order of the plugins, `pre` before and `post` after the others. */
function boundHandlers(owners: readonly HookOwner[], name: HookName): readonly BoundHandler[] {
  const all = owners.flatMap((owner) => {
    const registered = owner.contribution.hooks?.[name] as Registered | undefined
    return registered ? [bind(owner, registered)] : []
  })
  return ORDERS.flatMap((order) => all.filter((bound) => bound.order === order))
}

function bind(owner: HookOwner, registered: Registered): BoundHandler {
  const entry = typeof registered === 'function' ? { handler: registered } : registered
  return { order: 'normal', ...entry, owner: owner.owner ?? owner.name, scope: owner.scope ?? 'main' }
}

/** The session as handlers meet it. `signal` is read at each call, so a session may have another one for each query. */
export interface HookSession {
  readonly sessionId: Id
  readonly source: Source
  /** Something is asked beside the conversation: only those of scope `all` hear of it. */
  readonly isFork?: true
  readonly signal: AbortSignal
  view(): View
  /** The store of a plugin, for the conversation that is meant. */
  store(owner: string): SessionStore
  propose(owner: string, draft: Draft): Promise<Edit | { readonly refused: string }>
  defer(owner: string, work: (signal: AbortSignal) => Promise<void>): void
  fork(owner: string, options: ForkOptions): Promise<ForkResult>
  /** Knows of handlers that do not end when they should. */
  readonly watch?: Watch
}

/** A context for one call of one plugin. `end` gives the notes; what is noted later would reach nobody, so it throws. */
export function handlerContext(
  session: HookSession,
  hooks: Dispatcher,
  owner: string,
  signal: AbortSignal,
): { readonly context: HookContext; end(): readonly Note[] } {
  const notes: Note[] = []
  let hasEnded = false
  const context: HookContext = {
    sessionId: session.sessionId,
    source: session.source,
    signal,
    hooks,
    view: session.view,
    get store() {
      return session.store(owner)
    },
    note(note) {
      if (hasEnded) {
        const message = `Plugin '${owner}' gave a note after its call had ended. Background work hands in a draft by propose().`
        throw new NacreError('HOOK_FAILED', message, { plugin: owner })
      }
      notes.push(note)
    },
    propose: (draft) => session.propose(owner, draft),
    defer: (work) => session.defer(owner, work),
    fork: (options) => session.fork(owner, options),
  }
  const end = () => {
    hasEnded = true
    return notes
  }
  return { context, end }
}
