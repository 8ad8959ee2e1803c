import { isYes, realTimer } from '../async.js'
import { isNacreError, NacreError } from '../errors.js'
import { readLog } from '../log/checkpoint.js'
import { coreState } from '../log/timeline.js'
import { callsOf } from '../loop/run-call.js'
import type { Contributions } from '../plugins/contributions.js'
import type { ChildCalls, ChildOptions, ChildSession } from '../types/child.js'
import type { AssistantEntry, Entry, Id, UserEntry } from '../types/log.js'
import type { SessionStore, Store } from '../types/store.js'
import { PLACEHOLDER } from './fork-base.js'
import { appendInParts, type Opened, openById } from './open-log.js'
import type { Kin, Runtime } from './runtime.js'
import { keepSpent } from './session-log.js'
import type { Session, SessionDetails, SessionOptions } from './types.js'

/** What a session below another is started with. */
export interface ChildStart {
  readonly options: SessionOptions
  readonly opened: Opened
  readonly kin: Kin
}

/** Opens the log of a session below another. Nothing is asked of the model. */
export async function openChild(parent: Runtime, options: ChildOptions): Promise<ChildStart> {
  if (parent.kin) throw new NacreError('INVALID_REQUEST', 'A sub-agent can not have sub-agents of its own.')
  const { source, from, calls = {} } = options
  const fork = from === 'fork' ? await copyForFork(parent, options) : undefined
  const opened = fork?.opened ?? (await openOwn(parent, options))
  return { options: optionsOf(parent, options), opened, kin: kinOf(parent, source, calls, fork) }
}

/** Tells a child's parent of its end, and gives what the plugin that started it may do with it. */
export function childOf(parent: Runtime, runtime: Runtime, session: Session): ChildSession {
  const child: ChildSession = {
    id: session.id,
    source: runtime.source,
    query: (prompt, options) => session.query(prompt, options),
    steer: session.steer,
    isSteered: session.isSteered,
    fork: (options) => runtime.forks.fork(options),
    view: session.view,
    entries: () => runtime.store.read(),
    spent: () => session.cost(),
    listen: (listener) => session.events.on('event', listener),
    async close(reason) {
      runtime.kin?.turn?.pass()
      await session.close(reason).finally(() => parent.children.delete(child))
      // What it cost is known even if its parent is killed now.
      await keepSpent(parent)
    },
  }
  parent.children.add(child)
  return child
}

/** How long the end of one may take: what hangs in a child must not keep its parent open. */
const CLOSING = 1_000

/** None outlives its parent; one that does not end is left behind. */
export async function closeChildren({ children, underway, report }: Runtime, reason: string): Promise<void> {
  if (children.size === 0) return
  let cancel = () => {}
  const late = new Promise<'late'>((resolve) => {
    cancel = realTimer(CLOSING, () => resolve('late'))
  })
  const closed = Promise.all(
    [...children].map((child) => underway.watch({ what: 'sub-agent', name: child.source }, child.close(reason))),
  )
  const end = await Promise.race([closed, late]).finally(cancel)
  if (end === 'late')
    report(new NacreError('ABORTED', `${children.size} sub-agents did not end in time and were left behind.`))
}

function optionsOf(parent: Runtime, { model, system, cwd, limits, calls, from }: ChildOptions): SessionOptions {
  const { details = {}, ...options } = parent.options
  const { contextBudget } = details.limits ?? {}
  const ask = askFor(calls ?? {}, details.ask)
  return {
    ...options,
    model: (from === 'fork' ? undefined : model) ?? parent.currentModel.model(),
    ...(system && { system }),
    ...(cwd !== undefined && { cwd }),
    details: {
      ...details,
      ttl: parent.ttl,
      limits: { ...(contextBudget !== undefined && { contextBudget }), ...limits },
      ...(ask && { ask }),
    },
  }
}

function askFor(calls: ChildCalls, person: SessionDetails['ask']): SessionDetails['ask'] {
  if (!calls.ask) return person
  return async (call, reason, signal, source) => {
    const reach = person && ((within: AbortSignal) => person(call, reason, within, source))
    return (await calls.ask?.({ call, reason, signal }, reach)) ?? 'deny'
  }
}

interface ForkedLog {
  readonly opened: Opened
  /** The answer that it extends. */
  readonly at: Id
  /** The last entry that it shares with other forks of that answer, behind it. */
  readonly end: Id | undefined
}

function kinOf(parent: Runtime, source: Kin['source'], calls: ChildCalls, fork: ForkedLog | undefined): Kin {
  const { accounts, requests, forks, emit, budget } = parent
  const answered = requests.lastAnswered()?.sent
  const cached = answered && accounts.own.cached(modelKey(answered.model.info))
  return {
    source,
    parent,
    calls: fork ? { ...calls, offers: () => true } : calls,
    ...(fork && {
      shared: { end: fork.end, previous: answered?.markers[0] },
      extended: { cached: (model: string) => (cached?.sent.model === model ? cached : undefined) },
      turn: forks.turn(fork.at),
    }),
    isBudgetSpent: () => accounts.ledger().totals().dollars >= budget,
    spent(usage, model) {
      accounts.add(source, usage, model)
      emit({ type: 'usage', source, usage })
    },
    broken(cacheBreak) {
      accounts.breaks.push(cacheBreak)
      emit({ type: 'cache-break', cacheBreak })
    },
  }
}

function modelKey({ id, kin }: { readonly id: string; kin?(name: string): { readonly key: string } }): string {
  return kin?.(id).key ?? id
}

function childId(parent: Runtime, id: Id): Id {
  return `${parent.id}//${id}`
}

async function openOwn(parent: Runtime, { id, from }: ChildOptions): Promise<Opened> {
  const opened = await openById(parent.options.store as Store, childId(parent, id), parent.queries.closing)
  const isKept = opened.log.entries.length > 0
  if (isKept === (from === 'kept')) return { ...opened, store: withBlobsOf(opened.store, parent.store, id) }
  await opened.store.close()
  const what = isKept ? 'has a log already: go on with it' : 'has no log that one could go on with'
  throw new NacreError(isKept ? 'INVALID_REQUEST' : 'SESSION_NOT_FOUND', `The sub-agent ${id} ${what}.`)
}

/** A copy of all up to the last answer, with a result for each of its calls that says nothing. */
async function copyForFork(parent: Runtime, { id }: ChildOptions): Promise<ForkedLog> {
  const entries: Entry[] = []
  let last = -1
  for await (const entry of parent.store.read())
    if (entries.push(entry) && entry.kind === 'assistant') last = entries.length
  const answer = entries[last - 1] as AssistantEntry | undefined
  if (!answer) throw new NacreError('INVALID_REQUEST', 'Nothing has been answered yet that a fork could extend.')
  const { newId, now } = parent.effects
  const results = callsOf(answer.content).map((call): UserEntry => {
    const content = [{ type: 'text', text: PLACEHOLDER }]
    const block = { type: 'tool_result', tool_use_id: call.id, content }
    return { kind: 'user', id: newId(), time: now(), content: [block] }
  })
  // What the conversation has spent so far is not the fork's.
  const begun = { ...coreState('spent', {}), id: newId(), time: now() } as Entry
  const store = await (parent.options.store as Store).open(childId(parent, id), parent.queries.closing)
  try {
    await (parent.options.store as Store).copyBlobs(parent.id, childId(parent, id))
    await appendInParts(store, [...entries.slice(0, last), ...results, begun])
    const log = await readLog(store)
    const opened: Opened = { id: childId(parent, id), store: withBlobsOf(store, parent.store, id), log, start: 'fork' }
    return { opened, at: answer.id, end: results.at(-1)?.id }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Previews in a fork name blobs of its parent; its own have names that none of those can have. */
function withBlobsOf(own: SessionStore, parent: SessionStore, id: Id): SessionStore {
  const { readBack, transcript } = own
  return {
    ...(transcript !== undefined && { transcript }),
    append: (batch) => own.append(batch),
    read: (from) => own.read(from),
    ...(readBack && { readBack: () => readBack.call(own) }),
    put: (name, data) => own.put(`${id}-${name}`, data),
    async *get(blob, range) {
      let isBegun = false
      try {
        for await (const chunk of own.get(blob, range)) {
          isBegun = true
          yield chunk
        }
        return
      } catch (error) {
        if (isBegun || !isNacreError(error, 'NOT_FOUND')) throw error
      }
      yield* parent.get(blob, range)
    },
    close: () => own.close(),
  }
}

/**
 * What a child brings and what its parent lends it, in the order of the parent: the tools of a fork have to be the same
 * bytes. Only tools are lent; hooks, reliefs and sections of plugins that are not set up in it are not its own.
 */
export function childContributions(own: Contributions, { parent: { contributions: lent }, calls }: Kin): Contributions {
  const isOffered = (tool: Parameters<NonNullable<ChildCalls['offers']>>[0]) =>
    !calls.offers || isYes(calls.offers(tool))
  return {
    ...own,
    tools() {
      const others = lent.tools()
      const names = new Set(others.map(({ tool }) => tool.name))
      const mine = new Map(own.tools().map((owned) => [owned.tool.name, owned]))
      const all = others.map((owned) => mine.get(owned.tool.name) ?? owned)
      const added = own.tools().filter(({ tool }) => !names.has(tool.name))
      return [...all, ...added].filter(({ tool }) => isOffered(tool))
    },
    tool(name) {
      const tool = own.tool(name) ?? lent.tool(name)
      return tool && isOffered(tool) ? tool : undefined
    },
    ownerOf: (name) => own.ownerOf(name) ?? lent.ownerOf(name),
  }
}
