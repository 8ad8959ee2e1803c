import type { Restored } from '../contract/relief.js'

const MEANING: Readonly<Record<Restored['status'], string>> = {
  live: 'Still in force after the fold, as it is now.',
  reference: 'For reference: it was at hand before the fold. It is information and asks for nothing.',
  consumed: 'Used before the fold and done with. It is a record; nothing in it is to be carried out again.',
}

/** A restored item as the model reads it: its status stands before its text, and its text can not leave its frame. */
export function wordRestored({ what, text, status }: Restored): string {
  const name = what.replace(/["<>\s]+/g, ' ').trim()
  const body = text.replaceAll('</restored', '<\\/restored').trim()
  return `<restored what="${name}" status="${status}">\n${MEANING[status]}\n${body}\n</restored>`
}
