import { firstDifference, type Place } from './first-difference.js'
import type { OwnedHash, SentPrefix } from './sent-prefix.js'

const START: Place = { message: 0, block: 0 }

/** The first block of the earlier request that no cache has for both; `undefined` when the later one goes on from all of it. */
export function sharedEnd(before: SentPrefix, after: SentPrefix): Place | undefined {
  const isSameHead =
    before.model === after.model &&
    before.settings === after.settings &&
    hashesOf(before.tools) === hashesOf(after.tools) &&
    hashesOf(before.system) === hashesOf(after.system)
  return isSameHead ? firstDifference(before.messages, after.messages) : START
}

function hashesOf(pieces: readonly OwnedHash[]): string {
  return pieces.map(({ hash }) => hash).join()
}
