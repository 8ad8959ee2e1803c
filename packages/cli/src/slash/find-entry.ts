import type { Entry, Id, Session, View } from '@nacre/core'

/** So few digits are a number, never the beginning of an id: one that nobody has must not hit a message by chance. */
const NUMBER = /^\d{1,4}$/

/** A prompt by its number in the list of `/rewind`, or a message by its id. */
export function findPrompt(typed: string, session: Pick<Session, 'view'>): FoundId {
  const view = session.view()
  const prompts = promptsInView(view)
  const ids = view.rounds.flatMap(({ entries }) => entries.map(({ id }) => id))
  const found = NUMBER.test(typed)
    ? (prompts[Number(typed) - 1] ?? { wrong: `There is no message ${typed}.` })
    : findId(typed, ids, 'message')
  return 'wrong' in found ? { wrong: `${found.wrong} /rewind lists what you have said, with numbers and ids.` } : found
}

/** Something that the person has said and that the model still sees. */
interface PromptInView {
  readonly id: Id
  readonly time: number
  readonly text: string
}

/** What the person has said, oldest first; neither results of calls nor what the program says for them. */
export function promptsInView(view: View): readonly PromptInView[] {
  return view.rounds
    .flatMap(({ entries }) => entries)
    .flatMap((entry) => {
      if (entry.kind !== 'user' || entry.isMeta) return []
      if (entry.content.some(({ type }) => type === 'tool_result')) return []
      const texts = entry.content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []))
      return [{ id: entry.id, time: entry.time, text: texts.join(' ') || `(${entry.content[0]?.type ?? 'nothing'})` }]
    })
}

export type FoundId = { readonly id: Id } | { readonly id?: never; readonly wrong: string }

/** A shorter beginning would hit one by chance: a number that was meant otherwise, or a letter that slipped in. */
export const SHORTEST_ID = 4

/** An id by itself or by its beginning, if only one begins so. */
export function findId(typed: string, ids: readonly Id[], what: string): FoundId {
  if (ids.includes(typed)) return { id: typed }
  if (typed.length < SHORTEST_ID)
    return { wrong: `'${typed}' is too short for an id: type four letters of it or more.` }
  const matches = [...new Set(ids.filter((id) => id.startsWith(typed)))]
  const [first] = matches
  if (first === undefined) return { wrong: `There is no ${what} '${typed}'.` }
  if (matches.length > 1) return { wrong: `'${typed}' is the beginning of ${matches.length} ids. Type more of it.` }
  return { id: first }
}

/** The whole log of a session, oldest first. */
export async function logEntries(session: Pick<Session, 'inspect'>, signal: AbortSignal): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  const { entries: read } = await session.inspect()
  for await (const entry of read()) {
    signal.throwIfAborted()
    entries.push(entry)
  }
  return entries
}
