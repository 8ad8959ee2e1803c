import { findEdit } from './find-edit.js'
import type { Divergence, OwnedHash, SentPrefix } from './sent-prefix.js'

export type { Divergence, SentPrefix } from './sent-prefix.js'

/**
 * What the second request has otherwise; `undefined` when it goes on from the first, or from some point of it (a
 * rewind), or begins anew with a fold.
 */
export function findDivergence(before: SentPrefix, after: SentPrefix): Divergence | undefined {
  if (after.isFolded) return undefined
  if (before.model !== after.model) {
    return { cause: 'model', owner: 'user', what: `model ${before.model} became ${after.model}` }
  }
  return (
    findOther('tools', before.tools, after.tools) ??
    findOther('system', before.system, after.system) ??
    (before.settings === after.settings ? undefined : SETTINGS) ??
    findEdit(before, after)
  )
}

const SETTINGS: Divergence = { cause: 'settings', owner: 'user', what: 'settings changed' }
const KINDS = { tools: 'tool', system: 'section' } as const

/** The first tool or section that is not what it was: one that is new or gone moves all behind it. */
function findOther(
  cause: keyof typeof KINDS,
  before: readonly OwnedHash[],
  after: readonly OwnedHash[],
): Divergence | undefined {
  const length = Math.max(before.length, after.length)
  for (let index = 0; index < length; index++) {
    const [old, now] = [before[index], after[index]]
    if (old?.hash === now?.hash) continue
    const { piece, change } = compare(old, now, before, after)
    return { cause, owner: piece.owner, what: `${KINDS[cause]} ${piece.name} ${change}` }
  }
  return undefined
}

function compare(
  old: OwnedHash | undefined,
  now: OwnedHash | undefined,
  before: readonly OwnedHash[],
  after: readonly OwnedHash[],
): { readonly piece: OwnedHash; readonly change: string } {
  if (old && !after.some(({ name }) => name === old.name)) return { piece: old, change: 'removed' }
  const piece = (now ?? old) as OwnedHash
  if (piece.name === old?.name) return { piece, change: 'changed' }
  return { piece, change: before.some(({ name }) => name === piece.name) ? 'moved' : 'added' }
}
