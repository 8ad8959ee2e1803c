import { type Edit, type Entry, NacreError } from '@nacre/core'

/** The edit that a text means: by its id or the beginning of it, the last one without a text. */
export function findEdit(entries: readonly Entry[], text: string | undefined): Edit {
  const edits = entries.filter((entry) => entry.kind === 'edit')
  if (edits.length === 0) throw new NacreError('NOT_FOUND', 'The session has no edits: its view is all that was said.')
  if (text === undefined) return edits.at(-1) as Edit
  const exact = edits.find(({ id }) => id === text)
  const found = exact ? [exact] : edits.filter(({ id }) => id.startsWith(text))
  if (found.length === 1) return found[0] as Edit
  const what = found.length === 0 ? `There is no edit '${text}'` : `'${text}' may be any of ${found.length} edits`
  const known = (found.length === 0 ? edits.slice(-8) : found).map(({ id, reason }) => `  ${id}  ${reason}`)
  throw new NacreError('NOT_FOUND', `${what}. Edits:\n${known.join('\n')}`)
}
