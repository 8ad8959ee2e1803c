import type { Entry, Id, View } from '@nacre/core'
import { characterStart } from '../text/format.js'
import { CHARACTERS, type RecallRead, type RecallRole } from './recall-input.js'

/** A piece of an entry, and how much of it the model sees. */
export interface RecalledPart {
  readonly text: string
  readonly shows: ReturnType<View['shows']>
  /** Said by Recall itself, or asked of it: no search finds it. */
  readonly isOwn: boolean
  /** Where the full text is, if not in the log. */
  readonly place?: string
}

/** An entry of the log as it may be told: without what was redacted, marked where a person took it back. */
export interface RecalledEntry {
  readonly id: Id
  readonly role: RecallRole
  /** Of a result: the tool that gave it, and the call. */
  readonly tool?: string
  readonly call?: Id
  readonly isError: boolean
  readonly time: number
  /** Responses up to here, with the one that it belongs to. */
  readonly turn: number
  readonly isTakenBack: boolean
  readonly parts: readonly RecalledPart[]
}

/** What a search looks at: in the scope `hidden` only what the model does not see whole. */
export function searchedText({ parts }: RecalledEntry, scope: 'hidden' | 'all'): string {
  return join(parts.filter(({ isOwn, shows }) => !isOwn && (scope === 'all' || shows !== 'whole')))
}

function join(parts: readonly RecalledPart[]): string {
  return parts
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n')
}

/** Who said it, when, and what the model sees of it, in a few words. */
export function describeEntry(entry: RecalledEntry): string {
  const { role, tool, isError, turn, time, isTakenBack, parts } = entry
  const who = role === 'tool' ? `result of ${shortName(tool ?? 'a tool')}${isError ? ', an error' : ''}` : role
  const places = parts.flatMap(({ place }) => (place === undefined ? [] : [shortName(place)]))
  return [who, `turn ${turn}`, instant(time), seen(entry), ...(isTakenBack ? [TAKEN_BACK] : []), ...places].join(' · ')
}

const TAKEN_BACK = 'TAKEN BACK by the user: no longer valid'

function seen({ parts, isTakenBack }: RecalledEntry): string {
  const shown = new Set<string>(parts.map(({ shows }) => shows))
  if (isTakenBack || !(shown.has('whole') || shown.has('changed'))) return 'not in view'
  return shown.size === 1 && shown.has('whole') ? 'whole in view' : 'partly in view'
}

function instant(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? 'time unknown' : date.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Names come from outside: none can end its line. */
function shortName(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 600)
}

/** An entry with the ids of those before and behind it. */
interface Placed {
  readonly entry: RecalledEntry
  readonly before: string | undefined
  readonly after: string | undefined
}

/** Shorter beginnings of ids would be found by chance. */
const SHORTEST = 8

/** Looks for an entry by its id, by the id of a call, or by how its id begins, as an index of names has it. */
export async function findEntry(entries: AsyncIterable<RecalledEntry>, id: string): Promise<Placed | undefined> {
  const begun: Placed[] = []
  let before: string | undefined
  let last: (Omit<Placed, 'after'> & { readonly isExact: boolean }) | undefined
  for await (const entry of entries) {
    if (last) {
      const placed = { entry: last.entry, before: last.before, after: entry.id }
      if (last.isExact) return placed
      begun.push(placed)
    }
    const isExact = entry.id === id || entry.call === id
    const isBegun = id.length >= SHORTEST && entry.id.startsWith(id)
    last = isExact || isBegun ? { entry, before, isExact } : undefined
    before = entry.id
  }
  if (last) begun.push({ entry: last.entry, before: last.before, after: undefined })
  if (last?.isExact) return begun.at(-1)
  const ids = [...new Set(begun.map(({ entry }) => entry.id))]
  if (ids.length > 1) throw new Error(`More than one id begins with ${id}: ${ids.join(', ')}.`)
  return begun[0]
}

/** What a person said is wanted whole. */
const OF_A_PERSON = 40_000

/** The text of an entry word for word, or a page of it, in a frame that nothing in it can end. */
export function formatEntry({ entry, before, after }: Placed, { offset, characters }: RecallRead): string {
  const text = join(entry.parts)
  const size = characters ?? (entry.role === 'user' ? OF_A_PERSON : CHARACTERS)
  if (offset > 0 && offset >= text.length) return `Entry ${entry.id} has ${text.length} characters only.`
  const start = characterStart(text, offset)
  const end = characterStart(text, Math.min(text.length, start + size))
  const frame = frameFor(text)
  const part = start > 0 || end < text.length ? `characters ${start}-${end} of ${text.length}` : 'whole'
  const next = end < text.length ? ` Go on with offset ${end}.` : ''
  const beside = [before && `before it: [${before}]`, after && `after it: [${after}]`].filter(Boolean)
  return [
    `[${entry.id}] ${describeEntry(entry)} · ${part}.${next}`,
    `<${frame}>`,
    text.slice(start, end),
    `</${frame}>`,
    ...(beside.length > 0 ? [`Entries ${beside.join(', ')}`] : []),
  ].join('\n')
}

/** What an edit is, for whoever asks for one by its id. */
export function formatEdit(entry: Entry): string | undefined {
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
