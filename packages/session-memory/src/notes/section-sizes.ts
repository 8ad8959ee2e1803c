import { estimateText } from '@nacre/core'
import { FIGURES } from '../figures.js'
import type { Section } from '../template/read-template.js'
import { type Notes, writtenSections } from './notes.js'

/** What the notes hold more than they may, in tokens. */
export interface Oversize {
  readonly sections: readonly { readonly name: string; readonly tokens: number; readonly limit: number }[]
  /** Of all sections together, where that is too much. */
  readonly total?: { readonly tokens: number; readonly limit: number }
}

/** Which sections are too large, and by how much. */
export function oversizeOf(notes: Notes, sections: readonly Section[], scale: number): Oversize {
  const limit = Math.round(FIGURES.section * scale)
  const sizes = writtenSections(notes, sections).map(({ name, text }) => ({
    name,
    tokens: Math.ceil(estimateText(text)),
    limit,
  }))
  const tokens = sizes.reduce((sum, size) => sum + size.tokens, 0)
  const most = Math.round(FIGURES.total * scale)
  const over = sizes.filter((size) => size.tokens > limit)
  return { sections: over, ...(tokens > most && { total: { tokens, limit: most } }) }
}
