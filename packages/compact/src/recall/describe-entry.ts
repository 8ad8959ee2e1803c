import type { RecalledEntry } from './recalled-entry.js'

/** Who said it, when, and what the model sees of it, in a few words. */
export function describeEntry(entry: RecalledEntry): string {
  const { role, tool, isError, turn, time, isTakenBack, parts } = entry
  const who = role === 'tool' ? `result of ${oneLine(tool ?? 'a tool')}${isError ? ', an error' : ''}` : role
  const places = parts.flatMap(({ place }) => (place === undefined ? [] : [oneLine(place)]))
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
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 600)
}
