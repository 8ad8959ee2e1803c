import type { Entry } from '../log/entry.js'

const LENGTH = 80

/** The title that an entry gives to its session. */
export function statedTitle(entry: Entry): string | undefined {
  const isTitle = entry.kind === 'state' && entry.owner === 'core' && entry.key === 'title'
  return isTitle && typeof entry.value === 'string' ? oneLine(entry.value) : undefined
}

/** What the user said in an entry: the title of a session that was given none. */
export function promptTitle(entry: Entry): string | undefined {
  if (entry.kind !== 'user' || entry.isMeta) return undefined
  const block = entry.content.find(
    ({ type, text }) => type === 'text' && typeof text === 'string' && text.trim() !== '',
  )
  return block === undefined ? undefined : oneLine(block.text as string)
}

function oneLine(text: string): string {
  const line = text
    .trim()
    .slice(0, LENGTH * 10)
    .replace(/\s+/g, ' ')
  // By characters: half of a surrogate pair can be shown nowhere.
  return Array.from(line).slice(0, LENGTH).join('').trim()
}
