import { late } from '../async/late.js'
import { oneAtATime } from '../async/one-at-a-time.js'
import type { SessionStore } from '../contract/store.js'
import type { Edit, Epoch, Price, Receipt } from '../log/edit.js'
import type { AssistantEntry, Entry, Id, NoticeEntry, StateEntry, UserEntry } from '../log/entry.js'
import type { Rendering, RenderRules } from '../request/renderer.js'
import type { Proposal } from '../view/check-edit.js'
import type { Projection } from '../view/projection.js'
import { createKeptView } from './kept-view.js'

/** An entry that has no place in the log yet. */
export type Draft<Kind extends Entry = Entry> = Kind extends Entry ? Omit<Kind, 'id' | 'time'> : never
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
  heard?(entry: Entry): void
}

/** What goes with an edit. */
interface EditDetails {
  receipt?(price: Price, id: Id): Receipt
  /** Entries of the same batch: they are in the log if and only if the edit is. */
  entries?(edit: Edit): readonly Draft<StateEntry>[]
}

/** The log of one session and the view of it, kept in step: what is not on disk is not in the view. */
export interface Conversation {
  readonly projection: Projection
  /** Another one for each entry that came into the view. */
  version(): number
  rendering(): Rendering
  epoch(): Epoch
  append(...drafts: readonly Draft<Appendable>[]): Promise<readonly Entry[]>
  /** Appends a message with edits of it, as far as they are accepted: one is in the log if and only if all are. */
  appendEdited(draft: Draft<UserEntry>, edits: (entry: Entry) => readonly Proposal[]): Promise<readonly Edit[]>
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
  let lost: unknown

  const hear = (entry: Entry) => {
    view.take(entry)
    options.heard?.(entry)
  }
  const stamp = <Kind extends object>(draft: Kind) => ({ ...draft, id: newId(), time: now() })
  const keep = async (entries: readonly Entry[]) => {
    if (lost) throw lost
    await store.append(entries)
  }
  /** What is in the view and can not be kept is lost: nothing may follow it until the log is read again. */
  const keepShown = async (entries: readonly Entry[]) => {
    await keep(entries).catch((error: unknown) => {
      lost = error
      throw error
    })
  }
  const measure = ({ priceEdit }: Rules, proposal: Proposal): Writable<Edit> => {
    view.rendering()
    const edit = { ...stamp({ kind: 'edit' as const, ...proposal }), price: FREE }
    view.take(edit)
    edit.price = priceEdit(view.rendering(), options.writePrice())
    return edit
  }

  return {
    get projection() {
      return view.projection()
    },
    version: view.version,
    rendering: view.rendering,
    epoch: view.epoch,
    restore: hear,
    reload: view.reload,
    refresh: view.refresh,
    touch: view.touch,
    append: (...drafts) =>
      inOrder(async () => {
        const entries = drafts.map((draft) => stamp(draft) as Entry)
        await keep(entries)
        for (const entry of entries) hear(entry)
        return entries
      }),
    appendEdited: (draft, edits) =>
      inOrder(async () => {
        const rules = await editing(lost)
        const entry = stamp(draft) as Entry
        view.take(entry)
        const accepted: Edit[] = []
        for (const proposal of edits(entry)) {
          if (rules.checkEdit(view.projection(), proposal) === undefined) accepted.push(measure(rules, proposal))
        }
        await keepShown([entry, ...accepted])
        for (const each of [entry, ...accepted]) options.heard?.(each)
        return accepted
      }),
    edit: (proposal, details) =>
      inOrder(async () => {
        const rules = await editing(lost)
        const refused = rules.checkEdit(view.projection(), proposal)
        if (refused !== undefined) return { refused }
        const edit = measure(rules, proposal)
        if (details?.receipt) edit.receipt = details.receipt(edit.price, edit.id)
        const entries = (details?.entries?.(edit) ?? []).map((draft) => stamp(draft) as Entry)
        await keepShown([edit, ...entries])
        options.heard?.(edit)
        for (const entry of entries) hear(entry)
        return edit
      }),
  }
}

/** The rules of edits come with the first one: a conversation that nobody edits needs none. */
const editRules = late(() => import('./edit-rules.js'))
type Rules = typeof import('./edit-rules.js')

function editing(lost: unknown): Promise<Rules> {
  if (lost) throw lost
  return editRules()
}

/** An edit is in the view before its price is known, since the price is measured there. */
type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

const FREE: Price = { freed: 0, dollars: 0, breaksAt: null, thinkingLost: 0 }
