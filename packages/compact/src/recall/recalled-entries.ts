import type { Block, Edit, Entry, Id, MessageEntry, SessionStore, View } from '@nacre/core'
import { blockText, contentText } from './block-text.js'
import type { LogEdits } from './log-edits.js'
import { RECALL } from './recall-name.js'
import type { RecalledEntry, RecalledPart } from './recalled-entry.js'
import { readStored, storedText } from './stored-text.js'

export interface RecallSource {
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
