import {
  type Block,
  type BlockRef,
  type Edit,
  type Entry,
  type Id,
  isNacreError,
  type MessageEntry,
  type SessionStore,
  type View,
} from '@nacre/core'
import { RECALL } from '../layer/layer.js'
import { refKey } from '../log/edits.js'
import type { RecalledEntry, RecalledPart } from './recalled-entry.js'

interface RecallSource {
  readonly entries: AsyncIterable<Entry>
  readonly edits: LogEdits
  readonly view: View | undefined
  readonly store: Pick<SessionStore, 'get'>
  /** Whether what an entry has in a blob is wanted; always unless told. */
  wants?(entry: MessageEntry): boolean
}

/** The messages and notes of a log one by one as they may be told, oldest first. */
export async function* recalledEntries(source: RecallSource): AsyncIterable<RecalledEntry> {
  const { view, edits } = source
  const walk = startWalk(edits)
  /** Whether a note is in view is known once the message behind it is. */
  let notes: ((isInView: boolean) => RecalledEntry)[] = []
  let isLastInView = false
  for await (const entry of source.entries) {
    const place = walk.pass(entry)
    if (entry.kind === 'edit') notes.push(...notesOf(entry, place, edits.isInForce(entry.id)))
    if (entry.kind !== 'user' && entry.kind !== 'assistant') continue
    const isInView = view !== undefined && view.shows({ entry: entry.id, block: 0 }) !== 'hidden'
    for (const note of notes) yield note(isLastInView || isInView)
    notes = []
    isLastInView = isInView
    yield await message(source, entry, place, walk.tool)
  }
  for (const note of notes) yield note(view !== undefined)
}

interface Place {
  readonly turn: number
  readonly isTakenBack: boolean
}

/** What has to be remembered from entry to entry: open calls, responses, rewinds that the walk is inside of. */
function startWalk({ rewinds }: LogEdits) {
  const calls = new Map<string, string>()
  const inside = new Set<Id>()
  let responses = 0
  return {
    tool: (call: string) => calls.get(call),
    pass(entry: Entry): Place {
      inside.delete(entry.id)
      for (const edit of rewinds.get(entry.id) ?? []) inside.add(edit)
      const isTakenBack = inside.size > 0
      if (entry.kind !== 'assistant') {
        const isPrompt = entry.kind === 'user' && !entry.content.some(isResult)
        return { turn: isPrompt ? responses + 1 : Math.max(1, responses), isTakenBack }
      }
      responses += 1
      calls.clear()
      for (const { type, id, name } of entry.content) if (type === 'tool_use') calls.set(String(id), String(name))
      return { turn: responses, isTakenBack }
    },
  }
}

async function message(
  source: RecallSource,
  entry: MessageEntry,
  place: Place,
  toolOf: (call: string) => string | undefined,
): Promise<RecalledEntry> {
  const result = entry.content.find(isResult)
  const call = result && String(result.tool_use_id)
  const tool = call === undefined ? undefined : toolOf(call)
  const parts: RecalledPart[] = []
  for (const [index, block] of entry.content.entries()) parts.push(await part(source, entry, block, index, tool))
  return {
    id: entry.id,
    role: entry.kind === 'assistant' ? 'assistant' : result ? 'tool' : entry.isMeta ? 'note' : 'user',
    ...(tool !== undefined && { tool }),
    ...(call !== undefined && { call }),
    isError: result?.is_error === true,
    time: entry.time,
    ...place,
    parts,
  }
}

async function part(
  { edits, view, store, wants = () => true }: RecallSource,
  entry: MessageEntry,
  block: Block,
  index: number,
  tool: string | undefined,
): Promise<RecalledPart> {
  const target = { entry: entry.id, block: index }
  const shows = view?.shows(target) ?? 'hidden'
  const isOwn = block.type === 'tool_use' ? block.name === RECALL : block.type === 'tool_result' && tool === RECALL
  const redacted = edits.redacted(target)
  if (redacted) return { text: contentText(redacted), shows, isOwn }
  const stored = entry.kind === 'user' && wants(entry) ? storedText(block) : undefined
  const full = stored && (await readStored(store, stored))
  if (!stored || full === undefined) return { text: blockText(block), shows, isOwn }
  const place = `kept with the session as ${stored.blob}${stored.path ? `, in the file ${stored.path}` : ''}`
  return { text: full, shows: 'hidden', isOwn, place }
}

function notesOf({ id, time, changes }: Edit, place: Place, isInForce: boolean) {
  const texts = changes.flatMap((change) => (change.kind === 'insert' ? [change.note.text] : []))
  if (texts.length === 0) return []
  const isTakenBack = place.isTakenBack || !isInForce
  return [
    (isInView: boolean): RecalledEntry => {
      const shows = isInView && !isTakenBack ? 'whole' : 'hidden'
      const parts = texts.map((text): RecalledPart => ({ text, shows, isOwn: false }))
      return { id, role: 'note', isError: false, time, turn: place.turn, isTakenBack, parts }
    },
  ]
}

function isResult({ type }: Block): boolean {
  return type === 'tool_result'
}

/** What edits do to a log that is read: what is never told again, and what a person took back. */
interface LogEdits {
  /** What stands for a block that was redacted. */
  redacted(target: BlockRef): readonly Block[] | undefined
  /** By the first entry that was taken back: the edits that took it back, up to which all is. */
  readonly rewinds: ReadonlyMap<Id, readonly Id[]>
  isInForce(edit: Id): boolean
}

type Marks = Pick<Edit, 'id' | 'changes'>

/** Gathers edits while a log goes by; no more of each is kept than decides. */
export function gatherEdits(): { add(entry: Entry): void; edits(): LogEdits } {
  const kept: Marks[] = []
  return {
    add(entry) {
      if (entry.kind !== 'edit') return
      const changes = entry.changes.filter(
        (change) => change.kind === 'revert' || (change.kind === 'replace' && change.redacts) || isRewind(change),
      )
      if (changes.length > 0) kept.push({ id: entry.id, changes })
    },
    edits: () => readEdits(kept),
  }
}

function readEdits(kept: readonly Marks[]): LogEdits {
  const reverted = revertedIn(kept)
  const blocks = new Map<string, readonly Block[]>()
  const rewinds = new Map<Id, Id[]>()
  for (const { id, changes } of kept) {
    if (reverted.has(id)) continue
    for (const change of changes) {
      if (change.kind === 'replace') blocks.set(refKey(change.target), change.content)
      if (change.kind === 'drop') rewinds.set(change.span.from, [...(rewinds.get(change.span.from) ?? []), id])
    }
  }
  return {
    redacted: (target) => blocks.get(refKey(target)),
    rewinds,
    isInForce: (edit) => !reverted.has(edit),
  }
}

/** A rewind takes back all edits since; what was redacted stays so, since only a person's undo of that very edit says otherwise. */
function revertedIn(kept: readonly Marks[]): ReadonlySet<Id> {
  const redacting = new Set(
    kept.filter(({ changes }) => changes.some(({ kind }) => kind === 'replace')).map(({ id }) => id),
  )
  const reverted = new Set<Id>()
  for (const { id, changes } of kept.toReversed()) {
    if (reverted.has(id)) continue
    const isTakingBack = changes.some(isRewind)
    for (const change of changes) {
      if (change.kind === 'revert' && !(isTakingBack && redacting.has(change.edit))) reverted.add(change.edit)
    }
  }
  return reverted
}

function isRewind(change: Edit['changes'][number]): boolean {
  return change.kind === 'drop' && change.note === undefined
}

/** A block as words; thinking has none, since it is of no use outside the place where it was thought. */
export function blockText(block: Block): string {
  switch (block.type) {
    case 'text':
      return String(block.text)
    case 'tool_use':
      return `[call of ${block.name}]\n${inputText(block.input)}`.trimEnd()
    case 'tool_result':
      return contentText(block.content)
    case 'image':
      return '[image]'
    case 'document':
      return documentText(block)
    case 'thinking':
    case 'redacted_thinking':
      return ''
  }
  const { type, cache_control: _, ...rest } = block
  return `[${type}] ${JSON.stringify(rest)}`
}

/** Several blocks as one text. */
function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n')
}

function documentText({ source, title }: Block): string {
  const { type, data } = Object(source) as { readonly type?: unknown; readonly data?: unknown }
  const name = typeof title === 'string' ? `[document ${title}]` : '[document]'
  return type === 'text' && typeof data === 'string' ? `${name}\n${data}` : name
}

/** An input line by line with its texts as they are: what was exact in it has to be found. */
function inputText(input: unknown, path = ''): string {
  if (typeof input === 'object' && input !== null) {
    const isList = Array.isArray(input)
    return Object.entries(input)
      .map(([key, value]) => inputText(value, isList ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`))
      .join('\n')
  }
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return path === '' ? String(text ?? '') : `${path}: ${text}`
}

/** A text of the log that stands for a longer one in a blob of the session. */
interface StoredText {
  readonly blob: string
  /** Where a file tool reads it. */
  readonly path?: string
}

const FRAME = /^<persisted-output>\n/
const NAMES = [/ with name ("(?:[^"\\\n]|\\.)*")/, /^The whole is kept with the session as (\S+),/m]
const PATH = /^The whole is in the file (.+)$/m
const SAFE = /^\w[\w.-]{0,200}$/
/** More of one blob is not read at once. */
const BYTES = 8_000_000

/**
 * The blob that a block names in place of its text. Tool output may claim anything, so a result only has the blob
 * that bears the name of its own call, and words of a person only one of pasted text.
 */
function storedText(block: Block): StoredText | undefined {
  const text = onlyText(block)
  if (text === undefined || !FRAME.test(text)) return undefined
  const path = PATH.exec(text)?.[1]
  const blob = nameIn(text) ?? path?.split(/[\\/]/).at(-1)
  if (blob === undefined || !SAFE.test(blob)) return undefined
  const owner =
    block.type === 'tool_result' ? String(block.tool_use_id).replace(/[^A-Za-z0-9._-]+/g, '-') : 'pasted-text'
  if (owner === '' || !blob.includes(owner)) return undefined
  return { blob, ...(path !== undefined && { path }) }
}

/** The text of a blob, or `undefined` where the session does not have it. */
async function readStored(store: Pick<SessionStore, 'get'>, { blob }: StoredText): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of store.get(blob, { start: 0, end: BYTES })) text += decoder.decode(chunk, { stream: true })
  } catch (error) {
    if (isNacreError(error, 'NOT_FOUND')) return undefined
    throw error
  }
  return text + decoder.decode()
}

function nameIn(text: string): string | undefined {
  const [quoted, plain] = NAMES.map((pattern) => pattern.exec(text)?.[1])
  return quoted === undefined ? plain : unquoted(quoted)
}

/** What only looks like a quoted name is none. */
function unquoted(text: string): string | undefined {
  try {
    return String(JSON.parse(text))
  } catch {
    return undefined
  }
}

function onlyText({ type, text, content }: Block): string | undefined {
  if (type === 'text') return String(text)
  if (type !== 'tool_result') return undefined
  if (typeof content === 'string') return content
  const texts = Array.isArray(content) ? (content as readonly Block[]).filter((block) => block.type === 'text') : []
  return texts.length === 1 ? String(texts[0]?.text) : undefined
}
