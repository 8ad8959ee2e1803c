import type { Entry } from '@nacre/core'
import { describeEntry } from './describe-entry.js'
import { whole } from './excerpt.js'
import type { RecallRead } from './recall-input.js'
import { entryText, type RecalledEntry } from './recalled-entry.js'

const CHARACTERS = 4_000
/** What a person said is wanted whole. */
const OF_A_PERSON = 40_000

export interface Neighbours {
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Shorter beginnings of ids would be found by chance. */
const SHORTEST = 8

interface Placed {
  readonly entry: RecalledEntry
  readonly near: Neighbours
}

/** Looks for an entry by its id, by the id of a call, or by how its id begins, as an index of names has it. */
export async function findEntry(entries: AsyncIterable<RecalledEntry>, id: string): Promise<Placed | undefined> {
  const begun: Placed[] = []
  let before: string | undefined
  let last:
    | { readonly entry: RecalledEntry; readonly before: string | undefined; readonly isExact: boolean }
    | undefined
  for await (const entry of entries) {
    if (last) {
      const placed = { entry: last.entry, near: { before: last.before, after: entry.id } }
      if (last.isExact) return placed
      begun.push(placed)
    }
    const isExact = entry.id === id || entry.call === id
    const isBegun = id.length >= SHORTEST && entry.id.startsWith(id)
    last = isExact || isBegun ? { entry, before, isExact } : undefined
    before = entry.id
  }
  if (last) begun.push({ entry: last.entry, near: { before: last.before, after: undefined } })
  if (last?.isExact) return begun.at(-1)
  const ids = [...new Set(begun.map(({ entry }) => entry.id))]
  if (ids.length > 1) throw new Error(`More than one id begins with ${id}: ${ids.join(', ')}.`)
  return begun[0]
}

/** The text of an entry word for word, or a page of it, in a frame that nothing in it can end. */
export function wordEntry(entry: RecalledEntry, near: Neighbours, { offset, characters }: RecallRead): string {
  const text = entryText(entry)
  const size = characters ?? (entry.role === 'user' ? OF_A_PERSON : CHARACTERS)
  if (offset > 0 && offset >= text.length) return `Entry ${entry.id} has ${text.length} characters only.`
  const start = whole(text, offset)
  const end = whole(text, Math.min(text.length, start + size))
  const frame = frameFor(text)
  const part = start > 0 || end < text.length ? `characters ${start}-${end} of ${text.length}` : 'whole'
  const next = end < text.length ? ` Go on with offset ${end}.` : ''
  const beside = [near.before && `before it: [${near.before}]`, near.after && `after it: [${near.after}]`].filter(
    Boolean,
  )
  return [
    `[${entry.id}] ${describeEntry(entry)} · ${part}.${next}`,
    `<${frame}>`,
    text.slice(start, end),
    `</${frame}>`,
    ...(beside.length > 0 ? [`Entries ${beside.join(', ')}`] : []),
  ].join('\n')
}

/** What an edit is, for whoever asks for one by its id. */
export function wordEdit(entry: Entry): string | undefined {
  if (entry.kind !== 'edit') return undefined
  const span = entry.changes.find((change) => change.kind === 'fold' || change.kind === 'drop')?.span
  const where = span ? ` It covers the entries from [${span.from}] to [${span.to}]: read those.` : ''
  return `Entry ${entry.id} is a change of the view (${entry.reason.replace(/\s+/g, ' ')}), not something said.${where}`
}

function frameFor(text: string): string {
  let name = 'entry'
  for (let number = 2; text.includes(`</${name}>`); number++) name = `entry-${number}`
  return name
}
