import { answeredCall } from '../log/timeline.js'
import type { Block, BlockRef, Json, Note } from '../types/log.js'
import { type PlacedNote, refKey } from '../view/segment.js'

/** What is said to the model before it answers next: results, then words, then notes. */
export interface UserTurn {
  /** The calls that the turn answers, in the order in which they were made. */
  readonly calls: readonly string[]
  readonly results: readonly RenderedBlock[]
  readonly texts: readonly RenderedBlock[]
  readonly notes: readonly PlacedNote[]
}

export const EMPTY_TURN: UserTurn = { calls: [], results: [], texts: [], notes: [] }

export function addBlocks(turn: UserTurn, blocks: readonly RenderedBlock[]): UserTurn {
  if (blocks.length === 0) return turn
  const results = blocks.filter(({ block }) => answeredCall(block) !== undefined)
  const texts = blocks.filter(({ block }) => answeredCall(block) === undefined)
  return { ...turn, results: [...turn.results, ...results], texts: [...turn.texts, ...texts] }
}

export function addNotes(turn: UserTurn, notes: readonly PlacedNote[]): UserTurn {
  return notes.length ? { ...turn, notes: [...turn.notes, ...notes] } : turn
}

interface SpokenTurn {
  readonly user: readonly RenderedBlock[]
  /** Words of the runtime, where the model takes them in a role of their own. */
  readonly system: readonly RenderedBlock[]
}

/** What a model takes in the role of the runtime: words, and tools that the request does not begin with. */
export interface SystemRole {
  readonly isTaken: boolean
  takesTool(name: string): boolean
  /** Only where results can be deleted: the tokens that go with one. */
  weigh?: ((block: Block) => number) | undefined
}

/** The turn as messages. Each call has the first result that came for it. */
export function speak(turn: UserTurn, role: SystemRole): SpokenTurn {
  const inside = new Map<string, PlacedNote[]>()
  const aside: PlacedNote[] = []
  const deletions: PlacedNote[] = []
  const shown = new Set(turn.results.map(({ ref }) => (ref ? refKey(ref) : '')))
  for (const placed of turn.notes) {
    if (placed.deletes) deletions.push(placed)
    if (placed.deletes || (placed.note.tool && !role.takesTool(nameOf(placed.note.tool)))) continue
    const key = placed.note.inside ? refKey(placed.note.inside) : undefined
    if (key === undefined || !shown.has(key)) aside.push(placed)
    else inside.set(key, [...(inside.get(key) ?? []), placed])
  }
  const results = turn.calls.flatMap((call) => turn.results.find(({ block }) => answeredCall(block) === call) ?? [])
  const spoken = [...results.map((result) => withInside(result, inside)), ...turn.texts]
  const isSystem = ({ note }: PlacedNote) => role.isTaken && note.trust === 'runtime' && spoken.length > 0
  // A tool can come in nowhere else; where nobody has spoken before it, it waits for the next rendering.
  const words = aside.filter((placed) => !isSystem(placed) && !placed.note.tool)
  const user = [...spoken, ...words.map(noteBlock)]
  return {
    user: user.length ? [...user, ...deletionOf(deletions, role)] : user,
    system: aside.filter(isSystem).map(noteBlock),
  }
}

/** Results that the server is to delete. The block weighs what they did, less than nothing. */
function deletionOf(placed: readonly PlacedNote[], { weigh }: SystemRole): RenderedBlock[] {
  const [first] = placed
  if (!weigh || !first) return []
  const results = placed.flatMap(({ deletes }) => deletes ?? [])
  const edits = results.map(({ tool_use_id }) => ({ type: 'delete', cache_reference: tool_use_id }))
  const weight = results.reduce((sum, result) => sum - weigh(result), 0)
  return [{ block: { type: 'cache_edits', edits }, owner: first.owner, weight }]
}

function noteBlock({ note, owner }: PlacedNote): RenderedBlock {
  return { block: textBlock(note), owner }
}

const texts = new WeakMap<Note, Block>()

/** The same object for the same note, so that its hash is worked out once. */
function textBlock(note: Note): Block {
  const known = texts.get(note)
  if (known) return known
  const block: Block = note.tool
    ? { type: 'tool_addition', tool: { type: 'tool_definition', definition: note.tool } }
    : { type: 'text', text: note.text }
  texts.set(note, block)
  return block
}

function withInside(result: RenderedBlock, inside: ReadonlyMap<string, readonly PlacedNote[]>): RenderedBlock {
  const notes = result.ref ? inside.get(refKey(result.ref)) : undefined
  if (!notes) return result
  const { content } = result.block
  const own = typeof content === 'string' ? [{ type: 'text', text: content }] : ((content ?? []) as Block[])
  return { ...result, block: { ...result.block, content: [...own, ...notes.map(({ note }) => textBlock(note))] } }
}

function nameOf(tool: Json): string {
  return String((tool as { readonly name?: Json }).name)
}

/** A block of the request, with the plugin that put it there. */
export interface RenderedBlock {
  readonly block: Block
  readonly owner: string
  readonly ref?: BlockRef
  /** Its estimated tokens where its words do not tell: the server leaves it out, or it deletes others. */
  readonly weight?: number
}

export interface RenderedMessage {
  readonly role: 'user' | 'assistant' | 'system'
  readonly blocks: readonly RenderedBlock[]
  /** The hash of everything up to and with this message. */
  readonly chain: string
  /** Estimated tokens of all messages before this one; tokens and blocks of all up to and with it. */
  readonly start: number
  readonly tokens: number
  readonly position: number
  /** As it is sent without a marker; made once, when it is first sent. */
  sent?: SentMessage | undefined
}

export interface SentMessage {
  readonly role: string
  readonly content: readonly Block[]
}

/** Blocks are JSON, which their type does not say: they come from servers and plugins. */
export function toJson(messages: readonly SentMessage[]): Json[] {
  return messages as readonly unknown[] as Json[]
}

/** The owners of what no plugin changed. */
export const PERSON = 'user'
export const MODEL = 'assistant'
