import { hashOf, hashText, link } from '../hash.js'
import type { AssistantEntry, Block, BlockRef, Epoch, MessageEntry } from '../types/log.js'
import { type PlacedNote, type PlacedReplace, refKey, type Segment } from '../view/segment.js'
import {
  addBlocks,
  addNotes,
  EMPTY_TURN,
  MODEL,
  PERSON,
  type RenderedBlock,
  type RenderedMessage,
  type SystemRole,
  speak,
  type UserTurn,
} from './user-turn.js'

/** What of the model decides the bytes. */
export interface RenderRules {
  /** Thinking is valid only on the prefix it was made on. */
  readonly isBound: boolean
  readonly hasSystemRole: boolean
  /** Whether tools may come in with what the runtime says. */
  readonly hasToolChanges?: boolean
  /** How the server leaves out what is erased: results by deletions among the messages, or whatever a request names. */
  readonly erasing?: Erasing | undefined
  /** Whether the model reads thinking that the other one wrote. */
  reads(model: string): boolean
  estimate(block: Block): number
}

export type Erasing = 'deleted' | 'named'

interface Renderer {
  /** Renders from a segment on; what stands before it is kept as it is. */
  render(segments: readonly Segment[], waiting: readonly PlacedNote[], from: number, epoch: Epoch): Rendering
}

export interface Rendering {
  readonly messages: readonly RenderedMessage[]
  /** One of them, without putting them all together. */
  at(index: number): RenderedMessage | undefined
  readonly length: number
  /** The hash of the whole request: what the next response's thinking is bound to. */
  readonly prefix: string
  /** Estimated tokens of all messages. */
  readonly tokens: number
  /** How many messages at the start are the very ones of the rendering before; what stood and what stands behind them. */
  readonly unchanged: number
  readonly before: readonly RenderedMessage[]
  readonly after: readonly RenderedMessage[]
}

interface Mark {
  readonly closed: number
  /** The last message then: a later one of the same role may have been joined to it. */
  readonly last: RenderedMessage | undefined
  readonly chain: string
  readonly tokens: number
  readonly position: number
  readonly turn: UserTurn
}

interface State extends Omit<Mark, 'closed' | 'last'> {
  readonly closed: RenderedMessage[]
  chain: string
  tokens: number
  position: number
  turn: UserTurn
  /** What the model takes from the runtime, with the tools that the request begins with. */
  role: SystemRole
}

/** Renders a view into messages, and again from where it changed. */
export function createRenderer(rules: RenderRules): Renderer {
  const state: State = {
    closed: [],
    chain: '',
    tokens: 0,
    position: 0,
    turn: EMPTY_TURN,
    role: roleOf(rules, NO_EPOCH),
  }
  const marks: Mark[] = []
  let start = ''
  let spoken: readonly RenderedMessage[] = []
  return {
    render(segments, waiting, from, epoch) {
      const head = epochHash(epoch)
      const first = head === start ? Math.min(from, marks.length) : 0
      if (first === 0) state.role = roleOf(rules, epoch)
      start = head
      const mark = first === 0 ? { ...BEGINNING, chain: head } : (marks[first] ?? markOf(state))
      const before = [...state.closed.slice(mark.closed), ...spoken]
      rewind(state, mark)
      marks.length = first
      for (let index = first; index < segments.length; index++) {
        marks.push(markOf(state))
        addSegment(state, segments[index] as Segment, rules)
      }
      const end = speakOpenTurn(state, waiting, rules)
      spoken = end.closed
      return toRendering(state, end, mark.closed, before)
    },
  }
}

const NO_EPOCH: Epoch = { system: [], tools: [] }

/** A tool that the request begins with can not come in a second time. */
function roleOf(rules: RenderRules, { tools }: Epoch): SystemRole {
  const { hasSystemRole, hasToolChanges = false, erasing } = rules
  const names = new Set(tools.map((tool) => (tool as { readonly name?: string }).name))
  return {
    isTaken: hasSystemRole,
    takesTool: (name) => hasSystemRole && hasToolChanges && !names.has(name),
    weigh: erasing === 'deleted' ? rules.estimate : undefined,
  }
}

const BEGINNING: Mark = { closed: 0, last: undefined, chain: '', tokens: 0, position: 0, turn: EMPTY_TURN }

function markOf({ closed, chain, tokens, position, turn }: State): Mark {
  return { closed: closed.length, last: closed.at(-1), chain, tokens, position, turn }
}

function rewind(state: State, mark: Mark): void {
  state.closed.length = mark.closed
  if (mark.last) state.closed[mark.closed - 1] = mark.last
  state.chain = mark.chain
  state.tokens = mark.tokens
  state.position = mark.position
  state.turn = mark.turn
}

/** The turn that is still open is spoken too, but stays open: more may come. It never joins the answer before it. */
function speakOpenTurn(state: State, waiting: readonly PlacedNote[], rules: RenderRules): State {
  const end: State = { ...state, closed: [], turn: addNotes(state.turn, waiting) }
  closeTurn(end, rules)
  return end
}

function toRendering(state: State, end: State, unchanged: number, before: readonly RenderedMessage[]): Rendering {
  const length = state.closed.length
  let messages: readonly RenderedMessage[] | undefined
  return {
    prefix: end.chain,
    tokens: end.tokens,
    unchanged,
    before,
    after: [...state.closed.slice(unchanged), ...end.closed],
    length: length + end.closed.length,
    at: (index) => (index < length ? state.closed[index] : end.closed[index - length]),
    // Put together only for whoever asks, and before the next rendering: a turn must not cost what came before it.
    get messages() {
      messages ??= [...state.closed.slice(0, length), ...end.closed]
      return messages
    },
  }
}

const epochs = new WeakMap<Epoch, string>()

function epochHash(epoch: Epoch): string {
  const known = epochs.get(epoch)
  if (known !== undefined) return known
  const hash = hashText(
    `${epoch.tools.map((tool) => hashOf(tool as object)).join()}/${epoch.system.map(hashOf).join()}`,
  )
  epochs.set(epoch, hash)
  return hash
}

function addSegment(state: State, segment: Segment, rules: RenderRules): void {
  if (segment.span) addSpan(state, segment, rules)
  else addRound(state, segment, rules)
}

function addSpan(state: State, { span, after }: Segment, rules: RenderRules): void {
  if (!span) return
  const { change, owner } = span
  const content = change.kind === 'fold' ? change.content : change.note ? [noteText(change)] : []
  const blocks = content.map((block) => ({ block, owner }))
  // A summary that the server has signed is its own message; what stands for the span besides is said behind it.
  const signed = content[0]?.type === 'compaction' ? 1 : 0
  if (signed) {
    closeTurn(state, rules)
    push(state, 'assistant', blocks.slice(0, 1), [], rules)
  }
  if (change.kind === 'fold' && change.as !== undefined) state.chain = change.as
  state.turn = addNotes(addBlocks(state.turn, blocks.slice(signed)), after)
}

const dropNotes = new WeakMap<object, Block>()

function noteText(change: { readonly note?: string }): Block {
  const known = dropNotes.get(change)
  if (known) return known
  const block = { type: 'text', text: change.note ?? '' }
  dropNotes.set(change, block)
  return block
}

function addRound(state: State, segment: Segment, rules: RenderRules): void {
  const entries = segment.round?.entries ?? []
  const response = entries.findIndex((entry) => entry.kind === 'assistant')
  const end = response === -1 ? entries.length : response
  for (const entry of entries.slice(0, end)) state.turn = addBlocks(state.turn, blocksOf(entry, segment, PERSON, rules))
  state.turn = addNotes(state.turn, segment.before)
  for (const entry of entries.slice(end)) {
    if (entry.kind === 'assistant') addResponse(state, entry, segment, rules)
    else state.turn = addBlocks(state.turn, blocksOf(entry, segment, PERSON, rules))
  }
  state.turn = addNotes(state.turn, segment.after)
}

/** A response without its thinking may be empty: then nobody spoke, and the turn before it goes on. */
function addResponse(state: State, entry: AssistantEntry, segment: Segment, rules: RenderRules): void {
  const all = blocksOf(entry, segment, MODEL, rules)
  const before = markOf(state)
  closeTurn(state, rules)
  const keepsThinking = !rules.isBound || (state.chain === entry.prefix && rules.reads(entry.model))
  const shown = keepsThinking ? all : all.filter(({ block }) => !isThinking(block))
  if (shown.some(({ block }) => !isThinking(block))) {
    const calls = shown.filter(({ block }) => block.type === 'tool_use').map(({ block }) => block.id as string)
    push(state, 'assistant', shown, calls, rules)
  } else rewind(state, before)
}

function closeTurn(state: State, rules: RenderRules): void {
  const { user, system } = speak(state.turn, state.role)
  if (user.length) push(state, 'user', user, [], rules)
  if (system.length) push(state, 'system', system, [], rules)
  state.turn = EMPTY_TURN
}

/** One role in a row is one message: the assistant's can follow each other when the server paused. */
function push(
  state: State,
  role: RenderedMessage['role'],
  blocks: readonly RenderedBlock[],
  calls: readonly string[],
  rules: RenderRules,
): void {
  const joined = state.closed.at(-1)?.role === role ? state.closed.pop() : undefined
  const start = joined?.start ?? state.tokens
  for (const { block, weight } of blocks) {
    state.chain = link(state.chain, role, hashOf(block))
    state.tokens += weight ?? rules.estimate(block)
  }
  state.position += blocks.length
  const { chain, tokens, position } = state
  const all = joined ? [...joined.blocks, ...blocks] : blocks
  state.closed.push({ role, blocks: all, chain, start, tokens, position, sent: undefined })
  state.turn = { ...EMPTY_TURN, calls: role === 'assistant' ? [...state.turn.calls, ...calls] : [] }
}

export function isThinking(block: Block): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking'
}

/** What a server puts in the place of a block that it leaves out. */
const LEFT_OUT = { weight: 12 }

/** The blocks of an entry with what replaces them. */
function blocksOf(
  entry: MessageEntry,
  { replaced, erased }: Segment,
  owner: string,
  { erasing }: RenderRules,
): RenderedBlock[] {
  return entry.content.flatMap((block, index): RenderedBlock[] => {
    const ref: BlockRef = { entry: entry.id, block: index }
    const key = replaced.size + erased.size ? refKey(ref) : ''
    const replace: PlacedReplace | undefined = replaced.get(key)
    const left = erasing === 'named' && erased.has(key) && LEFT_OUT
    if (!replace) return [{ block, owner, ref, ...left }]
    return replace.change.content.map((other) => ({ block: other, owner: replace.owner, ref, ...left }))
  })
}
