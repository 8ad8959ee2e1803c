import { oneAtATime } from '../async.js'
import { coreStateIn } from '../log/timeline.js'
import { createRenderer, isThinking, type Rendering, type RenderRules } from '../request/renderer.js'
import type { RenderedMessage } from '../request/user-turn.js'
import { estimateEpoch, signedTokens } from '../tokens/estimate.js'
import type {
  AssistantEntry,
  Block,
  Change,
  Edit,
  Entry,
  Epoch,
  Id,
  NoticeEntry,
  Price,
  Receipt,
  StateEntry,
  UserEntry,
} from '../types/log.js'
import type { SessionStore } from '../types/store.js'
import { checkEdit, type Proposal } from '../view/check-edit.js'
import { createProjection, type Projection } from '../view/projection.js'
import { wellFormed } from '../well-formed.js'
import { keepEntries } from './keep-entries.js'

/** An entry that has no place in the log yet. */
export type NewEntry<Kind extends Entry = Entry> = Kind extends Entry ? Omit<Kind, 'id' | 'time'> : never
type Appendable = UserEntry | AssistantEntry | StateEntry | NoticeEntry

export interface ConversationOptions {
  readonly store: SessionStore
  readonly rules: RenderRules
  readonly epoch: Epoch
  /** Dollars for a million tokens written to the cache. */
  writePrice(): number
  now(): number
  newId(): Id
  /** Hears of every entry that has come into the view, also of those that a store had kept. */
  onEntry?(entry: Entry): void
  /** How large things are in tokens of the model; estimates unless told. */
  readonly sizes?: ViewSizes
}

interface ViewSizes {
  /** Of the whole view. */
  total(): number
  /** Real tokens for an estimate. */
  tokens(estimate: number): number
}

/** What goes with an edit. */
interface EditDetails {
  receipt?(price: Price, id: Id): Receipt
  /** Entries of the same batch: they are in the log if and only if the edit is. */
  entries?(edit: Edit): readonly NewEntry<StateEntry>[]
}

/** The log of one session and the view of it, kept in step: what is not on disk is not in the view. */
export interface Conversation {
  readonly projection: Projection
  /** Another one for each entry that came into the view. */
  version(): number
  rendering(): Rendering
  epoch(): Epoch
  append(...drafts: readonly NewEntry<Appendable>[]): Promise<readonly Entry[]>
  /** Appends a message with edits of it, as far as they are accepted: one is in the log if and only if all are. */
  appendEdited(draft: NewEntry<UserEntry>, edits: (entry: Entry) => readonly Proposal[]): Promise<readonly Edit[]>
  /** Checks, prices and appends an edit, or says why not. */
  edit(proposal: Proposal, details?: EditDetails): Promise<Edit | { readonly refused: string }>
  /** Takes in what a store has kept, without writing it again. */
  restore(entry: Entry): void
  /** Forgets all and takes in what a store has kept, where more than the tail of it is needed. */
  reload(entries: readonly Entry[]): void
  /** Renders all anew with the next request: the rules are others. */
  refresh(): void
  /** Another version, with the same in it: something that is worked out from it has changed. */
  touch(): void
}

export function createConversation(options: ConversationOptions): Conversation {
  const { store, now, newId } = options
  const view = createKeptView(options.rules, options.epoch)
  // In the log and in the view everything has the same order, also where calls end side by side.
  const inOrder = oneAtATime()
  const hear = (entry: Entry) => {
    view.take(entry)
    options.onEntry?.(entry)
  }
  // Whoever has said it: what can not be sent never gets into the log.
  const stamp = <Kind extends object>(draft: Kind) => ({ ...wellFormed(draft), id: newId(), time: now() })
  const { keep, catchUp } = keepEntries(store, {
    timeline: () => view.projection().timeline,
    forget: view.forget,
    hear(entry, isInView) {
      if (!isInView) view.take(entry)
      options.onEntry?.(entry)
    },
  })
  const measure = (proposal: Proposal) =>
    measured(view, stamp({ kind: 'edit' as const, ...proposal, price: FREE }), options)

  return {
    get projection() {
      return view.projection()
    },
    version: view.version,
    rendering: view.rendering,
    epoch: view.epoch,
    restore: (entry) => hear(wellFormed(entry)),
    reload: (entries) => view.reload(entries.map(wellFormed)),
    refresh: view.refresh,
    touch: view.touch,
    append: (...drafts) =>
      inOrder(async () => {
        await catchUp()
        const entries = drafts.map((draft) => stamp(draft) as Entry)
        await keep(entries)
        for (const entry of entries) hear(entry)
        return entries
      }),
    appendEdited: (draft, edits) =>
      inOrder(async () => {
        await catchUp()
        const entry = stamp(draft) as Entry
        view.take(entry)
        const accepted: Edit[] = []
        for (const proposal of edits(entry)) {
          if (checkEdit(view.projection(), proposal) === undefined) accepted.push(measure(proposal))
        }
        await keep([entry, ...accepted])
        for (const each of [entry, ...accepted]) options.onEntry?.(each)
        return accepted
      }),
    edit: (proposal, details) =>
      inOrder(async () => {
        await catchUp()
        const refused = checkEdit(view.projection(), proposal)
        if (refused !== undefined) return { refused }
        const edit = measure(proposal)
        if (details?.receipt) edit.receipt = details.receipt(edit.price, edit.id)
        const entries = (details?.entries?.(edit) ?? []).map((draft) => stamp(draft) as Entry)
        await keep([edit, ...entries])
        options.onEntry?.(edit)
        for (const entry of entries) hear(entry)
        return edit
      }),
  }
}

/** Takes an edit into the view, with what it does to the size of it. */
function measured(view: KeptView, edit: Writable<Edit>, { sizes, writePrice }: ConversationOptions): Writable<Edit> {
  const estimate = () => view.rendering().tokens + estimateEpoch(view.epoch())
  const { total, tokens }: ViewSizes = sizes ?? { total: estimate, tokens: (size) => size }
  const before = { total: total(), estimate: estimate() }
  view.take(edit)
  const left = estimate()
  const estimated = { freed: before.estimate - left, left }
  const freed = broughtBack(view.projection(), edit) ?? signedTokens(estimated.freed, tokens)
  const isFold = edit.changes.some(({ kind }) => kind === 'fold')
  const startsView = isFold && view.projection().segments[0]?.span?.edit === edit.id
  // The part of what was counted before that is left by estimate: an estimate of its own may be far from that count.
  const size = Math.round(before.total * (left / Math.max(1, before.estimate)))
  const rewritten = priceEdit(view.rendering(), tokens, writePrice())
  // Where nothing else changes, what stands before all messages is written anew with them.
  const isRenewal = edit.changes.some(({ kind }) => kind === 'renew')
  const head = isRenewal ? (tokens(estimateEpoch(view.epoch())) * writePrice()) / 1_000_000 : 0
  const dollars = rewritten.dollars + head
  const price = { ...rewritten, dollars, freed, estimated, ...(startsView && { size }) }
  // The size with the edit is worked out from what its price says.
  edit.price = price
  edit.price = { ...price, freed: before.total - total() }
  return edit
}

/** What comes back with edits that are taken back is what went with them; `undefined` for an edit that does more than that. */
function broughtBack({ timeline }: Projection, { changes }: Edit): number | undefined {
  let freed = 0
  for (const change of changes) {
    const reverted = change.kind === 'revert' ? timeline.place(change.edit)?.entry : undefined
    // Without an estimate beside it, what went is itself one, of a time before sizes were calibrated.
    if (reverted?.kind !== 'edit' || !reverted.price.estimated) return undefined
    freed -= reverted.price.freed
  }
  return freed
}

/** An edit is in the view before its price is known, since the price is measured there. */
type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

const FREE: Price = { freed: 0, dollars: 0, breaksAt: null, thinkingLost: 0 }

/** A view and its rendering, kept up entry by entry. */
interface KeptView {
  projection(): Projection
  /** Another one for each entry that came in, and whenever all is rendered anew. */
  version(): number
  rendering(): Rendering
  epoch(): Epoch
  take(entry: Entry): void
  forget(entries: ReadonlySet<Entry>): void
  reload(entries: readonly Entry[]): void
  refresh(): void
  /** Another version of the same view. */
  touch(): void
}

function createKeptView(rules: RenderRules, first: Epoch): KeptView {
  let projection = createProjection()
  let renderer = createRenderer(rules)
  let version = 0
  let dirty = 0
  let beginning = first
  let epoch = first
  let rendered: { readonly version: number; readonly rendering: Rendering } | undefined

  const take = (entry: Entry) => {
    version += 1
    dirty = Math.min(dirty, projection.append(entry))
    if (entry.kind === 'edit' && entry.changes.some(movesEpoch)) epoch = epochInForce(projection, beginning)
  }
  const refresh = () => {
    dirty = 0
    version += 1
  }
  const reload = (entries: readonly Entry[]) => {
    projection = createProjection()
    renderer = createRenderer(rules)
    // The tail of a log begins with an epoch of its own, and not with that of the session.
    beginning = entries.map((entry) => coreStateIn<{ epoch: Epoch }>(entry, 'epoch')).find(Boolean)?.epoch ?? first
    epoch = beginning
    for (const entry of entries) take(entry)
    refresh()
  }
  return {
    projection: () => projection,
    version: () => version,
    epoch: () => epoch,
    take,
    refresh,
    touch() {
      version += 1
    },
    rendering() {
      if (rendered?.version === version) return rendered.rendering
      const rendering = renderer.render(projection.segments, projection.waiting, dirty, epoch)
      dirty = projection.segments.length
      rendered = { version, rendering }
      return rendering
    },
    reload,
    forget: (lost) => reload(projection.timeline.entries().filter((entry) => !lost.has(entry))),
  }
}

function movesEpoch(change: Change): boolean {
  return change.kind === 'revert' || epochOf(change) !== undefined
}

function epochOf(change: Change): Epoch | undefined {
  return change.kind === 'fold' || change.kind === 'drop' || change.kind === 'renew' ? change.epoch : undefined
}

/** The system and tool bytes of the last fold, clear or renewal in force that brought some. */
function epochInForce({ timeline, alive }: Projection, first: Epoch): Epoch {
  for (const { entry } of timeline.edits.toReversed()) {
    if (!alive().has(entry.id)) continue
    const epoch = entry.changes.map(epochOf).find((each) => each !== undefined)
    if (epoch) return epoch
  }
  return first
}

/**
 * What an edit did to the request: all that it changed stands behind the messages that stayed the same. Where the server
 * leaves something out, the words are the same and the size is not.
 */
function priceEdit({ before, after, tokens: all }: Rendering, tokens: ViewSizes['tokens'], writePrice: number): Price {
  const same = before.findIndex(
    (message, index) => message.chain !== after[index]?.chain || message.tokens !== after[index].tokens,
  )
  const kept = same === -1 ? null : (after[same]?.start ?? all)
  return {
    freed: 0,
    // Behind a deletion there is less than before it.
    dollars: kept === null ? 0 : (tokens(Math.max(0, all - kept)) * writePrice) / 1_000_000,
    breaksAt: kept === null ? null : tokens(kept),
    thinkingLost: Math.max(0, countThinking(before) - countThinking(after)),
  }
}

function countThinking(messages: readonly RenderedMessage[]): number {
  const isSeen = ({ block, weight }: RenderedMessage['blocks'][number]) => isThinking(block) && weight === undefined
  return messages.reduce((sum, { blocks }) => sum + blocks.filter(isSeen).length, 0)
}

/** A conversation that tells of every edit that was accepted. Relief tells of its own, with what goes with them. */
export function withOnEdit(conversation: Conversation, tell: (edit: Edit) => Promise<unknown>): Conversation {
  return {
    ...conversation,
    get projection() {
      return conversation.projection
    },
    async appendEdited(draft, edits) {
      const accepted = await conversation.appendEdited(draft, edits)
      for (const edit of accepted) await tell(edit)
      return accepted
    },
    async edit(proposal, details) {
      const done = await conversation.edit(proposal, details)
      if (!('refused' in done)) await tell(done)
      return done
    },
  }
}

const LOST = 'This call was cut off before its result was kept: it may or may not have run to its end.'

/** Gives each call that was cut off, by a crash or a log that could not be written, a result, so that the conversation can go on. */
export async function closeOpenCalls(conversation: Conversation): Promise<void> {
  const { rounds } = conversation.projection.timeline
  const results = [...(rounds.at(-1)?.open ?? [])].map((id): Block => {
    return { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: LOST }], is_error: true }
  })
  if (results.length > 0) {
    await conversation.append(...results.map((block) => ({ kind: 'user' as const, content: [block] })))
  }
}

const UNANSWERED = '(stopped before the server had answered)'

/**
 * Takes out the calls of the server's own tools that it has left open and that words have followed: a turn that was paused
 * and then stopped. No request may hold them, and nobody but the server can answer them.
 */
export async function dropOpenServerCalls(conversation: Conversation): Promise<void> {
  const rendering = conversation.rendering()
  const said: RenderedMessage[] = []
  let answer = rendering.at(rendering.length - 1)
  while (answer && answer.role !== 'assistant') {
    said.push(answer)
    answer = rendering.at(rendering.length - 1 - said.length)
  }
  if (!answer || said.every(({ blocks }) => blocks.every(({ block }) => block.type === 'tool_result'))) return
  const answered = new Set(answer.blocks.map(({ block }) => block.tool_use_id))
  const changes = answer.blocks.flatMap(({ block, ref }): Change[] => {
    const isOpen = block.type === 'server_tool_use' && !answered.has(block.id)
    return isOpen && ref ? [{ kind: 'replace', target: ref, content: [{ type: 'text', text: UNANSWERED }] }] : []
  })
  if (changes.length > 0)
    await conversation.edit({ owner: 'core', reason: 'a search that was never answered', changes })
}
