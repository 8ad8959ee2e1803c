import { createHash } from 'node:crypto'
import type { Id, Json, StateEntry, View } from '@nacre/core'
import { firstTokens } from './first-tokens.js'
import type { Skill } from './skill.js'

export const OWNER = 'skills'

/** The most that comes back of one skill. */
export const SKILL_TOKENS = 5_000

/** How many are remembered: far more than can come back. */
const REMEMBERED = 30

/** A skill that was loaded: which, in what form, by which call. */
export interface Invoked {
  readonly name: string
  readonly hash: string
  readonly call: Id
  readonly folder: string
}

type Viewed = Pick<View, 'state'>

/** What was loaded, the newest last. */
export function readInvoked(view: Viewed): readonly Invoked[] {
  return (view.state(OWNER, 'invoked') as readonly Invoked[] | undefined) ?? []
}

/** The text of a skill as it was loaded, without arguments. */
export function textOfInvoked(view: Viewed, { hash }: Invoked): string | undefined {
  return view.state(OWNER, textKey(hash)) as string | undefined
}

/** What is to be appended when a skill is loaded. The text is in it: a fork has no blobs, and the file may change. */
export function invokedEntries(view: Viewed, { name, body, folder }: Skill, call: Id): StateEntry[] {
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16)
  const others = readInvoked(view).filter((each) => each.name !== name)
  const invoked = [...others, { name, hash, call, folder }].slice(-REMEMBERED)
  const isKnown = view.state(OWNER, textKey(hash)) !== undefined
  const text = firstTokens(body.replaceAll('$ARGUMENTS', '(arguments)'), SKILL_TOKENS)
  return [...(isKnown ? [] : [skillsEntry(textKey(hash), text)]), skillsEntry('invoked', invoked as unknown as Json)]
}

/** An entry for `store.append`. The session gives it its own id and time. */
export function skillsEntry(key: string, value: Json): StateEntry {
  return { kind: 'state', id: '', time: 0, owner: OWNER, key, value }
}

function textKey(hash: string): string {
  return `text/${hash}`
}
