import type { CommandPart } from './command-part.js'

/** Commands that do to files what the editing tools do, with the flags that change nothing about where. */
const EDITS: Readonly<Record<string, RegExp>> = {
  cp: /^-[fnv]+$/,
  mkdir: /^-[pv]+$/,
  mv: /^-[fnv]+$/,
  tee: /^-a$/,
  touch: /^-[acm]+$/,
}

/**
 * Whether a part is an edit. One that moves things may move a link, and what is written behind it would then lead
 * elsewhere: so it has to be the only one that writes.
 */
export function isEdit({ words, assignments, wrapper }: CommandPart, isOnlyWriter: boolean): boolean {
  const [name, ...args] = words
  if (name?.kind !== 'static' || wrapper || assignments.length > 0 || !Object.hasOwn(EDITS, name.text)) return false
  if (!isOnlyWriter && (name.text === 'cp' || name.text === 'mv')) return false
  return args.every(({ kind, text }) => kind === 'static' && (!text.startsWith('-') || EDITS[name.text]?.test(text)))
}
