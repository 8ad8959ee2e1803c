import type { Epoch } from '../log/edit.js'
import type { Composition, Named } from '../prompt/compose-epoch.js'
import { hashOf } from '../request/canonical.js'
import { hashText } from '../request/hash.js'

/** Tells who stands behind system and tool bytes, whichever of a session's epochs is in force. */
export interface Compositions {
  add(composition: Composition): void
  of(epoch: Epoch): Composition
  all(): readonly Composition[]
}

export function createCompositions(): Compositions {
  const known = new Map<string, Composition>()
  /** The same object for the same epoch: what is worked out from it is worked out once. */
  const named = new WeakMap<Epoch, Composition>()
  const unnamed = (owner: Named['owner'], count: number) =>
    Array.from({ length: count }, (_, index) => ({ owner, name: String(index), scope: 'static' as const }))
  const find = (epoch: Epoch): Composition => {
    const found = known.get(epochKey(epoch))
    if (found) return { ...found, epoch }
    return { epoch, sections: unnamed('session', epoch.system.length), tools: unnamed('session', epoch.tools.length) }
  }
  return {
    add(composition) {
      known.set(epochKey(composition.epoch), composition)
      named.delete(composition.epoch)
    },
    all: () => [...known.values()],
    of(epoch) {
      const composition = named.get(epoch) ?? find(epoch)
      named.set(epoch, composition)
      return composition
    },
  }
}

const keys = new WeakMap<Epoch, string>()

export function epochKey(epoch: Epoch): string {
  const known = keys.get(epoch)
  if (known !== undefined) return known
  const key = hashText([...epoch.system, ...(epoch.tools as object[])].map(hashOf).join())
  keys.set(epoch, key)
  return key
}
